import { type Static, Type } from 'typebox'

export const CHANNEL_STATUS = { enabled: 1, disabled: 2, autoDisabled: 3 } as const

const NullableText = Type.Union([Type.String(), Type.Null()])

/** A channel as the management API shows it: its key is written, never read. */
export const Channel = Type.Object({
  id: Type.Integer(),
  type: Type.Integer(),
  key: Type.Literal(''),
  openai_organization: NullableText,
  test_model: NullableText,
  status: Type.Integer({ description: '1 enabled, 2 disabled by hand, 3 disabled automatically' }),
  name: Type.String(),
  weight: Type.Integer({ minimum: 0 }),
  created_time: Type.Integer(),
  test_time: Type.Integer(),
  response_time: Type.Integer({ description: 'milliseconds; 0 untested' }),
  base_url: Type.String(),
  other: Type.String(),
  balance: Type.Number(),
  balance_updated_time: Type.Integer(),
  models: Type.String({ description: 'comma list' }),
  group: Type.String({ description: 'comma list' }),
  used_quota: Type.Integer(),
  model_mapping: NullableText,
  status_code_mapping: Type.String(),
  priority: Type.Integer(),
  auto_ban: Type.Integer(),
  other_info: Type.String(),
  tag: NullableText,
  setting: Type.String(),
})
export type Channel = Static<typeof Channel>

/** All columns but the key. */
export const CHANNEL_COLUMNS = [
  'id',
  'type',
  'open_ai_organization as openai_organization',
  'test_model',
  'status',
  'name',
  'weight',
  'created_time',
  'test_time',
  'response_time',
  'base_url',
  'other',
  'balance',
  'balance_updated_time',
  'models',
  'group',
  'used_quota',
  'model_mapping',
  'status_code_mapping',
  'priority',
  'auto_ban',
  'other_info',
  'tag',
  'setting',
] as const

/** What a creator gives; everything else has a default or is the gateway's own. */
export interface NewChannel {
  name: string
  type: number
  key: string
  base_url?: string
  other?: string
  models: string
  group?: string
  model_mapping?: string | null
  status_code_mapping?: string | null
  priority?: number
  weight?: number
  tag?: string | null
  test_model?: string | null
  openai_organization?: string | null
  auto_ban?: number
  setting?: string
}

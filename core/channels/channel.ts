export type { Channel } from './schema.ts'
export const CHANNEL_STATUS = { enabled: 1, disabled: 2, autoDisabled: 3 } as const

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

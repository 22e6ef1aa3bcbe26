import { type Static, Type } from 'typebox'

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

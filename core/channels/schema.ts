import { type Static, Type } from 'typebox'

const NullableText = Type.Union([Type.String(), Type.Null()])

/** What is told of a channel's several keys. */
const MultiKey = Type.Object(
  {
    mode: Type.Union([Type.Literal('random'), Type.Literal('polling')]),
    keys: Type.Integer({ description: 'how many there are' }),
    set_aside: Type.Array(
      Type.Object({
        index: Type.Integer({ description: 'from 1, in the order in which they were given' }),
        digest: Type.String({ description: 'names the key' }),
        reason: Type.String(),
        time: Type.Integer({ description: 'unix seconds' }),
      }),
    ),
  },
  { description: 'absent where the channel has one key' },
)

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
  model_mapping: Type.String({ description: 'JSON text; empty for none' }),
  status_code_mapping: Type.String(),
  priority: Type.Integer(),
  auto_ban: Type.Integer(),
  other_info: Type.String(),
  tag: NullableText,
  setting: Type.String(),
  multi_key: Type.Optional(MultiKey),
})
export type Channel = Static<typeof Channel>

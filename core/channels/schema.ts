import { type Static, Type } from 'typebox'

const NullableText = Type.Union([Type.String(), Type.Null()])

/** The keys of a channel with several keys, without the key texts. */
const MultiKey = Type.Object(
  {
    mode: Type.Union([Type.Literal('random'), Type.Literal('polling')]),
    keys: Type.Integer({ description: 'number of keys' }),
    set_aside: Type.Array(
      Type.Object({
        index: Type.Integer({ description: 'position in the list of keys, from 1' }),
        digest: Type.String({ description: 'digest of the key' }),
        reason: Type.String(),
        time: Type.Integer({ description: 'unix seconds' }),
      }),
    ),
  },
  { description: 'absent if the channel has one key' },
)

/** A channel, as the management API returns it. The key is write-only. */
export const Channel = Type.Object(
  {
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
  },
  { title: 'Channel' },
)
export type Channel = Static<typeof Channel>

/** A channel's activity in the last 24 hours. */
export const ChannelActivity = Type.Object(
  {
    channel_id: Type.Integer(),
    ok: Type.Integer({ description: 'completed replies' }),
    failed: Type.Integer({ description: 'failures, without those of clients that disconnected' }),
    share: Type.Number({ description: 'part of the replies of all channels, 0 to 1' }),
    latency_p50: Type.Integer({
      description: 'median duration of completed replies in milliseconds; -1: there are none',
    }),
    hours: Type.Array(Type.Integer(), { description: 'replies per hour, oldest first' }),
    sole_models: Type.Array(Type.String(), {
      description: 'models for which this is the only enabled channel of a group; at most 20',
    }),
    sole_count: Type.Integer({ description: 'number of all such models' }),
  },
  { title: 'ChannelActivity' },
)
export type ChannelActivity = Static<typeof ChannelActivity>

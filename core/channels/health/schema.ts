import { type Static, Type } from 'typebox'

const Scope = Type.Enum(['channel', 'key', 'model', 'limit'], {
  description: 'scope of the circuit: the channel, one of its keys, a model in a format, the rate limit of a model',
})
const Class = Type.String({ description: 'account, limited, unreachable, server or model' })

/** An open circuit in one process. */
export const ChannelCircuit = Type.Object(
  {
    channel_id: Type.Integer(),
    channel_name: Type.String(),
    node_id: Type.String({ description: 'process id' }),
    scope: Scope,
    subject: Type.String({ description: 'the model, the digest of the key, or both; empty for the channel' }),
    state: Type.Enum(['open', 'half-open'], { description: 'half-open: the next attempt is a probe' }),
    class: Class,
    reason: Type.String(),
    since: Type.Integer({ description: 'unix seconds' }),
    retry_at: Type.Integer({ description: 'unix seconds' }),
  },
  { title: 'ChannelCircuit' },
)
export type ChannelCircuit = Static<typeof ChannelCircuit>

/** A channel that was disabled, by hand or automatically. */
export const DisabledChannel = Type.Object(
  {
    channel_id: Type.Integer(),
    channel_name: Type.String(),
    status: Type.Integer({ description: '2 disabled by hand, 3 disabled automatically' }),
    reason: Type.String(),
    since: Type.Integer({ description: 'unix seconds; 0 unknown' }),
  },
  { title: 'DisabledChannel' },
)
export type DisabledChannel = Static<typeof DisabledChannel>

export const ChannelEvent = Type.Object(
  {
    id: Type.Integer(),
    channel_id: Type.Integer(),
    created_at: Type.Integer(),
    node_id: Type.String(),
    event: Type.String({ description: 'opened, closed, disabled, enabled, key-disabled or key-enabled' }),
    scope: Scope,
    subject: Type.String(),
    class: Type.String({ description: 'for a circuit, the cause; for a channel status, manual or automatic' }),
    reason: Type.String(),
  },
  { title: 'ChannelEvent' },
)
export type ChannelEvent = Static<typeof ChannelEvent>

/** All open circuits and disabled channels. */
export const ChannelsHealth = Type.Object({
  circuits: Type.Array(ChannelCircuit),
  disabled: Type.Array(DisabledChannel),
})
export type ChannelsHealth = Static<typeof ChannelsHealth>

/** One channel, and its history, newest first. */
export const OneChannelHealth = Type.Object({
  channel_id: Type.Integer(),
  channel_name: Type.String(),
  status: Type.Integer(),
  healthy: Type.Boolean({ description: 'enabled, and without an open circuit' }),
  circuits: Type.Array(ChannelCircuit),
  disabled: Type.Union([DisabledChannel, Type.Null()]),
  events: Type.Array(ChannelEvent),
})
export type OneChannelHealth = Static<typeof OneChannelHealth>

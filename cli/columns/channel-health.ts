import { CHANNEL_STATUS } from '../../core/channels/channel.ts'
import type { ChannelCircuit, ChannelEvent, ChannelsHealth } from '../../core/channels/health/schema.ts'
import { labelOf } from '../input/enum-labels.ts'
import type { Column } from '../output/column.ts'

/** An open circuit or a disabled channel. */
interface Trouble {
  channel: string
  /** State of the circuit, or status of the disabled channel. */
  state: string
  /** Failure class of a circuit; empty for a disabled channel. */
  failureClass: string
  /** What the circuit blocks, such as `model` for one model of the channel; empty for a disabled channel. */
  scope: string
  /** Name of the blocked model, key or other part; empty if the whole channel is blocked. */
  subject: string
  reason: string
  /** Start of the problem in unix seconds; 0 if unknown. */
  since: number
  /** Time of the next attempt in unix seconds; 0 if there is none. */
  retryAt: number
}

export const TROUBLE_COLUMNS: readonly Column<Trouble>[] = [
  { name: 'channel', rank: 1, value: ({ channel }) => channel, cut: true },
  {
    name: 'what',
    rank: 2,
    value: ({ state, failureClass }, { label }) => label(state) + (failureClass && ` (${failureClass})`),
    tone: () => 'bad',
  },
  {
    name: 'of',
    rank: 4,
    value: ({ scope, subject }, { label }) => (scope ? `${label(scope)} ${subject}`.trimEnd() : '-'),
    cut: true,
  },
  { name: 'since', rank: 5, value: ({ since }, { moment }) => moment(since) },
  { name: 'tried-at', value: ({ retryAt }, { moment }) => (retryAt ? moment(retryAt) : '-') },
  { name: 'reason', rank: 3, value: ({ reason }) => reason || '-', cut: true },
]

export const EVENT_COLUMNS: readonly Column<ChannelEvent>[] = [
  { name: 'time', value: ({ created_at }, { moment }) => moment(created_at) },
  {
    name: 'event',
    value: ({ event }, { label }) => label(event),
    tone: ({ event }) => (/opened|disabled/.test(event) ? 'bad' : 'good'),
  },
  { name: 'of', value: ({ scope, subject }, { label }) => `${label(scope)} ${subject}`.trimEnd(), cut: true },
  { name: 'class', value: (event) => event.class || '-' },
  { name: 'reason', value: ({ reason }) => reason || '-', cut: true },
]

/** Returns the disabled channels, then the circuits. Of a circuit's reports, uses only that with the latest retry. */
export function troublesOf({ circuits, disabled }: ChannelsHealth): Trouble[] {
  const latestCircuits = new Map<string, ChannelCircuit>()
  for (const circuit of circuits) {
    const key = `${circuit.channel_id} ${circuit.scope} ${circuit.subject}`
    const other = latestCircuits.get(key)
    if (!other || other.retry_at < circuit.retry_at) latestCircuits.set(key, circuit)
  }
  return [
    ...disabled.map((channel) => ({
      channel: `${channel.channel_id} ${channel.channel_name}`,
      state: labelOf(CHANNEL_STATUS, channel.status),
      failureClass: '',
      scope: '',
      subject: '',
      reason: channel.reason,
      since: channel.since,
      retryAt: 0,
    })),
    ...[...latestCircuits.values()].map(({ scope, subject, state, reason, since, retry_at, ...circuit }) => ({
      channel: `${circuit.channel_id} ${circuit.channel_name}`,
      state,
      failureClass: circuit.class,
      scope,
      subject,
      reason,
      since,
      retryAt: retry_at,
    })),
  ]
}

import { CHANNEL_STATUS } from '../../core/channels/channel.ts'
import type { ChannelCircuit, ChannelEvent, ChannelsHealth } from '../../core/channels/health/schema.ts'
import { labelOf } from '../input/enum-labels.ts'
import type { Column } from '../output/column.ts'

/** An open circuit or a disabled channel. */
export interface Trouble {
  channel: string
  what: string
  /** Failure class of a circuit. */
  why: string
  subject: string
  reason: string
  /** Unix seconds; 0: unknown. */
  since: number
  /** Unix seconds; 0: never retried. */
  retryAt: number
}

export const TROUBLE_COLUMNS: readonly Column<Trouble>[] = [
  { name: 'channel', rank: 1, value: ({ channel }) => channel, cut: true },
  { name: 'what', rank: 2, value: ({ what, why }, { label }) => label(what) + (why && ` (${why})`), tone: () => 'bad' },
  { name: 'of', rank: 4, value: ({ subject }) => subject || '-', cut: true },
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
  { name: 'of', value: ({ scope, subject }) => (subject ? `${scope} ${subject}` : scope), cut: true },
  { name: 'class', value: (event) => event.class || '-' },
  { name: 'reason', value: ({ reason }) => reason || '-', cut: true },
]

/** Merges the states that several processes report of one circuit: the one with the latest retry wins. */
export function troublesOf({ circuits, disabled }: ChannelsHealth): Trouble[] {
  const seen = new Map<string, ChannelCircuit>()
  for (const circuit of circuits) {
    const key = `${circuit.channel_id} ${circuit.scope} ${circuit.subject}`
    const other = seen.get(key)
    if (!other || other.retry_at < circuit.retry_at) seen.set(key, circuit)
  }
  return [
    ...disabled.map((out) => ({
      channel: `${out.channel_id} ${out.channel_name}`,
      what: labelOf(CHANNEL_STATUS, out.status),
      why: '',
      subject: '',
      reason: out.reason,
      since: out.since,
      retryAt: 0,
    })),
    ...[...seen.values()].map(({ scope, subject, state, reason, since, retry_at, ...circuit }) => ({
      channel: `${circuit.channel_id} ${circuit.channel_name}`,
      what: state,
      why: circuit.class,
      subject: subject ? `${scope} ${subject}` : scope,
      reason,
      since,
      retryAt: retry_at,
    })),
  ]
}

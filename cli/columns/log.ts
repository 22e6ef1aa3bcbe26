import { LOG_TYPE, type Log } from '../../core/logs/log.ts'
import { labelOf } from '../input/enum-labels.ts'
import type { Column, Tone } from '../output/column.ts'

const dashed = (text: string) => text || '-'
/** Shows the text for relays, else a dash. */
const relayed = (log: Log, text: string) => (log.type === LOG_TYPE.consumption ? text : '-')

const tones: Record<number, Tone | undefined> = { [LOG_TYPE.error]: 'bad', [LOG_TYPE.consumption]: 'good' }

export const LOG_COLUMNS: readonly Column<Log>[] = [
  { title: 'id', rank: 12, value: ({ id }) => String(id), align: 'right', room: 6 },
  { title: 'time', rank: 1, value: ({ created_at }, { time }) => time(created_at) },
  {
    title: 'type',
    rank: 2,
    value: ({ type }, { text }) => text(labelOf(LOG_TYPE, type)),
    room: 11,
    tone: ({ type }) => tones[type] ?? 'faint',
  },
  { title: 'user', rank: 5, value: ({ username }) => dashed(username), room: 12 },
  { title: 'token', rank: 10, value: ({ token_name }) => dashed(token_name), cut: true, room: 12 },
  { title: 'model', rank: 3, value: ({ model_name }) => dashed(model_name), cut: true, room: 22 },
  {
    title: 'channel',
    rank: 6,
    value: ({ channel, channel_name }) => dashed(channel_name || (channel ? String(channel) : '')),
    cut: true,
    room: 12,
  },
  { title: 'prompt', rank: 7, value: (log) => relayed(log, String(log.prompt_tokens)), align: 'right' },
  { title: 'output', rank: 8, value: (log) => relayed(log, String(log.completion_tokens)), align: 'right' },
  {
    title: 'cost',
    rank: 4,
    value: (log, { quota }) => relayed(log, quota(log.quota)),
    tone: () => 'money',
    sort: ({ quota }) => quota,
    align: 'right',
    room: 18,
  },
  {
    title: 'took',
    rank: 9,
    value: (log) => relayed(log, `${log.use_time} s`),
    sort: ({ use_time }) => use_time,
    align: 'right',
    room: 6,
  },
  {
    title: 'remark',
    rank: 11,
    value: ({ content }) => content,
    tone: ({ type }) => (type === LOG_TYPE.error ? 'bad' : undefined),
    cut: true,
  },
  { title: 'group', value: ({ group }) => dashed(group), detail: true },
  { title: 'streamed', value: (log, { text }) => relayed(log, text(log.is_stream ? 'yes' : 'no')), detail: true },
  { title: 'request', value: ({ request_id }) => dashed(request_id), detail: true },
  { title: 'computed from', value: ({ other }) => dashed(other), detail: true },
]

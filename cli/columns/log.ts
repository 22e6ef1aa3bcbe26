import { LOG_TYPE, type Log } from '../../core/logs/log.ts'
import { labelOf } from '../input/enum-labels.ts'
import type { Column, Tone } from '../output/column.ts'

/** Returns the text if the row is about a charged request, else a dash. */
const ifCharged = (log: Log, text: string) => (log.type === LOG_TYPE.consumption ? text : '-')

const tones: Record<number, Tone | undefined> = { [LOG_TYPE.error]: 'bad', [LOG_TYPE.consumption]: 'good' }

export const LOG_COLUMNS: readonly Column<Log>[] = [
  { name: 'id', rank: 12, value: ({ id }) => String(id), align: 'right', room: 6 },
  { name: 'time', rank: 1, value: ({ created_at }, { time }) => time(created_at) },
  {
    name: 'type',
    rank: 2,
    value: ({ type }, { label }) => label(labelOf(LOG_TYPE, type)),
    room: 11,
    tone: ({ type }) => tones[type] ?? 'faint',
  },
  { name: 'user', rank: 5, value: ({ username }) => username || '-', room: 12 },
  { name: 'token', rank: 10, value: ({ token_name }) => token_name || '-', cut: true, room: 12 },
  { name: 'model', rank: 3, value: ({ model_name }) => model_name || '-', cut: true, room: 22 },
  {
    name: 'channel',
    rank: 6,
    value: ({ channel, channel_name }) => channel_name || (channel ? String(channel) : '-'),
    cut: true,
    room: 12,
  },
  { name: 'prompt', rank: 7, value: (log) => ifCharged(log, String(log.prompt_tokens)), align: 'right' },
  { name: 'output', rank: 8, value: (log) => ifCharged(log, String(log.completion_tokens)), align: 'right' },
  {
    name: 'cost',
    rank: 4,
    value: (log, { quota }) => ifCharged(log, quota(log.quota)),
    tone: () => 'money',
    sort: ({ quota }) => quota,
    align: 'right',
    room: 18,
  },
  {
    name: 'took',
    rank: 9,
    value: (log) => ifCharged(log, `${log.use_time} s`),
    sort: ({ use_time }) => use_time,
    align: 'right',
    room: 6,
  },
  {
    name: 'remark',
    rank: 11,
    value: ({ content }) => content,
    tone: ({ type }) => (type === LOG_TYPE.error ? 'bad' : undefined),
    cut: true,
  },
  { name: 'group', value: ({ group }) => group || '-', detail: true },
  {
    name: 'streamed',
    value: (log, { t }) => ifCharged(log, t(log.is_stream ? 'label.yes' : 'label.no')),
    detail: true,
  },
  { name: 'request', value: ({ request_id }) => request_id || '-', detail: true },
  { name: 'computed-from', value: ({ other }) => other || '-', detail: true },
]

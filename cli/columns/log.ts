import { LOG_TYPE, type Log } from '../../core/logs/log.ts'
import type { Column } from '../table.ts'
import { wordOf } from '../words.ts'

const dashed = (text: string) => text || '-'
/** What only a relay has. */
const relayed = (log: Log, text: string) => (log.type === LOG_TYPE.consumption ? text : '-')

export const LOG_COLUMNS: readonly Column<Log>[] = [
  { title: 'id', value: ({ id }) => String(id), align: 'right' },
  { title: 'time', value: ({ created_at }, { time }) => time(created_at) },
  { title: 'type', value: ({ type }) => wordOf(LOG_TYPE, type) },
  { title: 'user', value: ({ username }) => dashed(username) },
  { title: 'token', value: ({ token_name }) => dashed(token_name), cut: true },
  { title: 'model', value: ({ model_name }) => dashed(model_name), cut: true },
  {
    title: 'channel',
    value: ({ channel, channel_name }) => dashed(channel_name || (channel ? String(channel) : '')),
    cut: true,
  },
  { title: 'prompt', value: (log) => relayed(log, String(log.prompt_tokens)), align: 'right' },
  { title: 'output', value: (log) => relayed(log, String(log.completion_tokens)), align: 'right' },
  { title: 'cost', value: (log, { quota }) => relayed(log, quota(log.quota)), align: 'right' },
  { title: 'took', value: (log) => relayed(log, `${log.use_time} s`), align: 'right' },
  { title: 'remark', value: ({ content }) => content, cut: true },
  { title: 'group', value: ({ group }) => dashed(group), detail: true },
  { title: 'streamed', value: (log) => relayed(log, log.is_stream ? 'yes' : 'no'), detail: true },
  { title: 'request', value: ({ request_id }) => dashed(request_id), detail: true },
  { title: 'computed from', value: ({ other }) => dashed(other), detail: true },
]

import type { BatchRecord, FileRecord } from '../../core/batches/schema.ts'
import type { Column, Tone } from '../output/column.ts'

const nameOrId = (name: string, id: number) => name || String(id)
const tones: Record<string, Tone> = { completed: 'good', ended: 'good', failed: 'bad', expired: 'bad' }

export const BATCH_COLUMNS: readonly Column<BatchRecord>[] = [
  { name: 'id', rank: 1, value: ({ id }) => String(id), align: 'right' },
  { name: 'created', rank: 4, value: ({ created_at }, { time }) => time(created_at) },
  { name: 'user', rank: 3, value: ({ username, user_id }) => nameOrId(username, user_id), cut: true },
  { name: 'model', rank: 5, value: ({ model }) => model, cut: true },
  { name: 'status', rank: 2, value: ({ status }) => status, tone: ({ status }) => tones[status] },
  { name: 'requests', rank: 8, value: ({ request_count }) => String(request_count), align: 'right' },
  { name: 'charged', rank: 6, value: (row, { quota }) => quota(row.quota), sort: (row) => row.quota, align: 'right' },
  {
    name: 'cost',
    rank: 7,
    value: (row, { quota }) => (row.settled_at ? quota(row.final_quota) : '-'),
    sort: ({ final_quota }) => final_quota,
    align: 'right',
  },
  { name: 'channel', rank: 9, value: ({ channel_name, channel_id }) => nameOrId(channel_name, channel_id), cut: true },
  { name: 'upstream-id', rank: 10, value: ({ batch_id }) => batch_id, cut: true },
  { name: 'token', value: ({ token_name, token_id }) => nameOrId(token_name, token_id), detail: true },
  { name: 'endpoint', value: ({ endpoint }) => endpoint, detail: true },
  { name: 'input-file', value: ({ input_file_id }) => input_file_id || '-', detail: true },
  { name: 'request', value: ({ request_id }) => request_id, detail: true },
  { name: 'prompt', value: ({ prompt_tokens }) => String(prompt_tokens), detail: true },
  { name: 'output', value: ({ completion_tokens }) => String(completion_tokens), detail: true },
  { name: 'expires', value: ({ expires_at }, { moment }) => moment(expires_at), detail: true },
  { name: 'settled', value: ({ settled_at }, { moment }) => (settled_at ? moment(settled_at) : '-'), detail: true },
  { name: 'outcome', value: ({ outcome }) => outcome || '-', detail: true },
]

export const FILE_COLUMNS: readonly Column<FileRecord>[] = [
  { name: 'id', rank: 1, value: ({ id }) => String(id), align: 'right' },
  { name: 'created', rank: 5, value: ({ created_at }, { time }) => time(created_at) },
  { name: 'user', rank: 2, value: ({ username, user_id }) => nameOrId(username, user_id), cut: true },
  { name: 'purpose', rank: 3, value: ({ purpose }) => purpose },
  { name: 'name', rank: 4, value: ({ filename }) => filename || '-', cut: true },
  { name: 'bytes', rank: 6, value: ({ bytes }) => (bytes ? String(bytes) : '-'), align: 'right' },
  { name: 'channel', rank: 7, value: ({ channel_name, channel_id }) => nameOrId(channel_name, channel_id), cut: true },
  { name: 'upstream-id', rank: 8, value: ({ file_id }) => file_id, cut: true },
  { name: 'written-by', rank: 9, value: ({ batch_id }) => batch_id || '-', cut: true },
]

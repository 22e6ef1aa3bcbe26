import type { Database } from '../db/database.ts'
import { parseObject } from '../input.ts'
import { failedRequest } from './failures.ts'
import { LOG_TYPE } from './log.ts'
import type { Log } from './schema.ts'

export const LOG_ROW_COLUMNS = [
  ...['logs.id', 'logs.user_id', 'logs.created_at', 'logs.type', 'logs.content', 'logs.username', 'logs.token_name'],
  ...['logs.model_name', 'logs.quota', 'logs.prompt_tokens', 'logs.completion_tokens', 'logs.use_time'],
  ...['logs.is_stream', 'logs.channel_id as channel', 'logs.token_id', 'logs.group', 'logs.other', 'logs.request_id'],
] as const

/** Orders of log rows, newest first. With an index of times, `NEWEST_BY_TIME` avoids sorting all rows for a page. */
export const NEWEST_BY_ID = [{ column: 'logs.id', order: 'desc' as const }]
export const NEWEST_BY_TIME = [{ column: 'logs.created_at', order: 'desc' as const }, ...NEWEST_BY_ID]

export type StoredLog = Omit<Log, 'channel_name' | 'request_id'> & { request_id: string | null }

/** Returns rows for display. Only administrators get `admin_info` and the current names of channels. */
export async function toLogs(db: Database, rows: StoredLog[], isAdmin: boolean): Promise<Log[]> {
  const names = isAdmin ? await readChannelNames(db, [...new Set(rows.map(({ channel }) => channel))]) : undefined
  return rows.map((row) => ({
    ...row,
    is_stream: Boolean(row.is_stream),
    channel_name: names?.get(row.channel) ?? '',
    request_id: row.request_id ?? (row.type === LOG_TYPE.error ? failedRequest(row.other) : ''),
    other: isAdmin ? row.other : withoutAdminInfo(row.other),
  }))
}

/** Returns the current names of channels, by id. */
export async function readChannelNames(db: Database, ids: number[]): Promise<Map<number, string>> {
  if (ids.length === 0) return new Map()
  const channels: { id: number; name: string }[] = await db.reader('channels').whereIn('id', ids).select('id', 'name')
  return new Map(channels.map(({ id, name }) => [id, name]))
}

/** Removes `admin_info` from `other`. Returns '' if `other` is not JSON, as in rows of other programs. */
function withoutAdminInfo(other: string): string {
  const fields = parseObject(other)
  if (!fields) return ''
  const { admin_info, ...rest } = fields
  return JSON.stringify(rest)
}

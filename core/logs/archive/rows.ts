import { setImmediate as yieldToEvents } from 'node:timers/promises'
import type { Database } from '../../db/database.ts'
import type { Rows } from '../../tables/rows.ts'

/** The columns of a log row, in the order in which an archive contains them. */
const COLUMNS = [
  ...['id', 'user_id', 'created_at', 'type', 'content', 'username', 'token_name', 'model_name', 'quota'],
  ...['prompt_tokens', 'completion_tokens', 'use_time', 'is_stream', 'channel_id', 'token_id', 'group', 'other'],
  'request_id',
] as const

const BATCH_ROWS = 1000

type ArchivedRow = Omit<Rows['logs'], 'is_stream'> & { is_stream: boolean }

/** A row with its text in an archive. Rows never change, so rows with the same text are the same row. */
export interface ArchivedLine {
  row: Pick<ArchivedRow, 'id' | 'created_at' | 'type' | 'quota' | 'prompt_tokens' | 'completion_tokens'>
  text: string
}

/** Returns whether `a` comes before `b` in an archive. */
export function isBefore(a: ArchivedLine, b: ArchivedLine): boolean {
  return a.row.created_at === b.row.created_at ? a.row.id < b.row.id : a.row.created_at < b.row.created_at
}

/** Yields the rows of a time range, oldest first (Unix seconds, `until` is exclusive). New rows may be missing. */
export async function* readArchiveLines(
  { reader }: Pick<Database, 'reader'>,
  { from, until, signal }: { from: number; until: number; signal?: AbortSignal | undefined },
): AsyncGenerator<ArchivedLine> {
  let last: ArchivedRow | undefined
  for (;;) {
    signal?.throwIfAborted()
    const rows: ArchivedRow[] = await reader('logs')
      .where('created_at', '>=', last?.created_at ?? from)
      .where('created_at', '<', until)
      .modify((query) => void (last && query.whereRaw('(created_at, id) > (?, ?)', [last.created_at, last.id])))
      .orderBy(['created_at', 'id'])
      .limit(BATCH_ROWS)
      .select(COLUMNS)
    for (const row of rows) yield toLine(row)
    if (rows.length < BATCH_ROWS) return
    last = rows.at(-1)
    await yieldToEvents()
  }
}

/** Returns log rows by id. Omits missing rows, and rows outside the time range (Unix seconds, `until` exclusive). */
export async function findLines(
  { reader }: Pick<Database, 'reader'>,
  ids: readonly number[],
  { since, until }: { since: number; until: number },
): Promise<Map<number, ArchivedLine>> {
  const rows: ArchivedRow[] = await reader('logs')
    .whereIn('id', [...ids])
    .where('created_at', '>=', since)
    .where('created_at', '<', until)
    .select(COLUMNS)
  return new Map(rows.map((row) => [Number(row.id), toLine(row)]))
}

/** Returns the time of the oldest row in a time range, or undefined if there is none. Times are Unix seconds. */
export async function oldestTime(
  { reader }: Pick<Database, 'reader'>,
  { from, until }: { from: number; until: number },
): Promise<number | undefined> {
  const row = await reader('logs')
    .where('created_at', '>=', from)
    .where('created_at', '<', until)
    .orderBy('created_at')
    .first('created_at')
  return row && Number(row.created_at)
}

/** Normalizes a row. SQLite returns 0 and 1 for booleans. PostgreSQL may return wide integers as strings. */
function toLine(stored: ArchivedRow): ArchivedLine {
  const row: ArchivedRow = {
    id: Number(stored.id),
    user_id: stored.user_id,
    created_at: Number(stored.created_at),
    type: stored.type,
    content: stored.content,
    username: stored.username,
    token_name: stored.token_name,
    model_name: stored.model_name,
    quota: Number(stored.quota),
    prompt_tokens: stored.prompt_tokens,
    completion_tokens: stored.completion_tokens,
    use_time: stored.use_time,
    is_stream: Boolean(stored.is_stream),
    channel_id: stored.channel_id,
    token_id: stored.token_id,
    group: stored.group,
    other: stored.other,
    request_id: stored.request_id,
  }
  return { row, text: JSON.stringify(row) }
}

import { createHash } from 'node:crypto'
import type { Database } from './db/database.ts'
import { groupedWrites } from './db/grouped-writes.ts'
import { inShortBatches } from './db/short-batches.ts'
import { withinDatabaseWait } from './db/unavailable.ts'
import type { Secrets } from './secrets.ts'

/** Tools may run long, and users may continue the next day. */
const KEPT_S = 24 * 3600
/** SQLite limits the number of bound values in a statement. */
const ROWS_MAX = 100

interface Row {
  user_id: number
  call_hash: string
  expires_at: number
  content: Buffer
}

/** Reasoning of models before tool calls, by user and call id, for clients that do not send it back. Encrypted. */
export interface KeptThoughts {
  /** Resolves at the commit, which includes concurrent additions. Throws database errors. */
  add(userId: number, callId: string, thought: string): Promise<void>
  /** Returns reasoning by call id, without missing ids. Throws DATABASE_UNAVAILABLE. */
  find(userId: number, callIds: readonly string[]): Promise<Map<string, string>>
  /** Deletes expired rows. Returns their number. */
  trim(): Promise<number>
}

export function createKeptThoughts({
  db,
  secrets,
  now,
}: {
  db: Database
  secrets: Pick<Secrets, 'sealBytes' | 'openBytes'>
  now: () => number
}): KeptThoughts {
  const write = groupedWrites<Row>(async (rows) => {
    const distinct = [...new Map(rows.map((row) => [`${row.user_id} ${row.call_hash}`, row])).values()]
    // In a fixed order, so that two processes cannot deadlock.
    distinct.sort((a, b) => a.user_id - b.user_id || (a.call_hash < b.call_hash ? -1 : 1))
    await db.transaction(async (trx) => {
      for (let at = 0; at < distinct.length; at += ROWS_MAX) {
        await trx('kept_thoughts')
          .insert(distinct.slice(at, at + ROWS_MAX))
          .onConflict(['user_id', 'call_hash'])
          .merge(['expires_at', 'content'])
      }
    })
  })

  return {
    add: (userId, callId, thought) =>
      write({
        user_id: userId,
        call_hash: hashOf(callId),
        expires_at: now() + KEPT_S,
        content: secrets.sealBytes(Buffer.from(thought)),
      }),
    async find(userId, callIds) {
      const found = new Map<string, string>()
      for (let at = 0; at < callIds.length; at += ROWS_MAX) {
        const ids = new Map(callIds.slice(at, at + ROWS_MAX).map((id) => [hashOf(id), id]))
        const rows: Pick<Row, 'call_hash' | 'content'>[] = await withinDatabaseWait(
          db
            .reader('kept_thoughts')
            .where({ user_id: userId })
            .whereIn('call_hash', [...ids.keys()])
            .where('expires_at', '>', now())
            .select('call_hash', 'content'),
        )
        for (const { call_hash, content } of rows) {
          found.set(ids.get(call_hash) as string, secrets.openBytes(content).toString('utf8'))
        }
      }
      return found
    },
    trim: () =>
      inShortBatches((rowsMax) =>
        db.transaction((trx) =>
          trx('kept_thoughts')
            .whereIn(
              ['user_id', 'call_hash'],
              trx('kept_thoughts').where('expires_at', '<=', now()).limit(rowsMax).select('user_id', 'call_hash'),
            )
            .delete(),
        ),
      ),
  }
}

const hashOf = (callId: string): string => createHash('sha256').update(callId).digest('hex')

import { createHash } from 'node:crypto'
import type { Database } from './db/database.ts'
import { groupedWrites } from './db/grouped-writes.ts'
import { withinDatabaseWait } from './db/unavailable.ts'
import { deleteExpired } from './delete-expired.ts'
import { inParts } from './in-parts.ts'
import type { Secrets } from './secrets.ts'
import type { Rows } from './tables/rows.ts'

/** Storage time of reasoning. Tools may run for a long time, and users may continue the next day. */
const STORAGE_S = 24 * 3600
/** Maximum number of rows per statement, because SQLite limits the number of parameters. */
const ROWS_MAX = 100

type Row = Rows['kept_thoughts']

/** Stores the reasoning before tool calls, for clients that do not send it back. Encrypted, by user and call id. */
export type ReasoningStore = ReturnType<typeof createKeptThoughts>

export function createKeptThoughts(parts: {
  db: Database
  secrets: Pick<Secrets, 'sealBytes' | 'openBytes'>
  now: () => number
}) {
  const { db, secrets, now } = parts
  const write = groupedWrites<Row>(async (rows) => {
    const uniqueRows = [...new Map(rows.map((row) => [`${row.user_id} ${row.call_hash}`, row])).values()]
    // Sort the rows, so that two processes cannot deadlock.
    uniqueRows.sort((a, b) => a.user_id - b.user_id || (a.call_hash < b.call_hash ? -1 : 1))
    await db.transaction(async (trx) => {
      for (const part of inParts(uniqueRows, ROWS_MAX)) {
        await trx('kept_thoughts').insert(part).onConflict(['user_id', 'call_hash']).merge(['expires_at', 'content'])
      }
    })
  })

  return {
    /**
     * Stores reasoning. Resolves after the commit, which can include concurrent calls. Throws errors of the database.
     */
    add: (userId: number, callId: string, thought: string): Promise<void> =>
      write({
        user_id: userId,
        call_hash: hashOf(callId),
        expires_at: now() + STORAGE_S,
        content: secrets.sealBytes(Buffer.from(thought)),
      }),
    /** Returns reasoning by call id. Missing ids are not in the map. Throws DATABASE_UNAVAILABLE. */
    async find(userId: number, callIds: readonly string[]): Promise<Map<string, string>> {
      const thoughts = new Map<string, string>()
      for (const part of inParts(callIds, ROWS_MAX)) {
        const ids = new Map(part.map((id) => [hashOf(id), id]))
        const rows: Pick<Row, 'call_hash' | 'content'>[] = await withinDatabaseWait(
          db
            .reader('kept_thoughts')
            .where({ user_id: userId })
            .whereIn('call_hash', [...ids.keys()])
            .where('expires_at', '>', now())
            .select('call_hash', 'content'),
        )
        for (const { call_hash, content } of rows) {
          const id = ids.get(call_hash)
          if (id !== undefined) thoughts.set(id, secrets.openBytes(content).toString('utf8'))
        }
      }
      return thoughts
    },
    /** Deletes expired rows and returns their number. */
    trim: (): Promise<number> =>
      deleteExpired(db, 'kept_thoughts', {
        key: ['user_id', 'call_hash'],
        expired: (rows) => rows.where('expires_at', '<=', now()),
      }),
  }
}

const hashOf = (callId: string): string => createHash('sha256').update(callId).digest('hex')

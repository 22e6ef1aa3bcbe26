import type { Database } from '../db/database.ts'
import { inShortBatches } from '../db/short-batches.ts'
import { keysOf } from '../records.ts'
import type { ChangedEntity } from './changes.ts'

/** Called with the ids of changed rows, or with undefined if any row may have changed. */
type ChangeListener = (ids: string[] | undefined) => void | Promise<void>

/** Follows the change feed and notifies the listeners of this process about edits by any process. */
export type Follower = ReturnType<typeof createFollower>

/** Number of ids that each poll reads again on PostgreSQL, where a lower id may be committed after a higher id. */
const LOOK_BACK = 1000
const RETENTION_S = 24 * 3600
const TRIM_EVERY_MS = 3_600_000

export function createFollower(parts: { db: Database; now: () => number; onFailure: (error: unknown) => void }) {
  const { db, now, onFailure } = parts
  const listeners: Record<ChangedEntity, ChangeListener[]> = { option: [], channel: [], token: [], user: [], limit: [] }
  let lastId = 0
  let seenIds = new Set<number>()
  let polling: Promise<void> | undefined
  let isPollDue = false
  let unwatch: (() => Promise<void>) | undefined
  let trimming: NodeJS.Timeout | undefined

  async function poll(): Promise<void> {
    const from = lastId - (db.kind === 'postgres' ? LOOK_BACK : 0)
    const rows = await db.reader('changes').where('id', '>', from).orderBy('id').select('id', 'entity', 'entity_id')
    const newRows = rows.filter(({ id }) => !seenIds.has(id))
    for (const entity of keysOf(listeners)) {
      const ids = [...new Set(newRows.filter((row) => row.entity === entity).map(({ entity_id }) => entity_id))]
      if (ids.length) for (const listener of listeners[entity]) await listener(ids)
    }
    // Remember the rows after the listeners have run: if a listener fails, the next poll calls it again.
    seenIds = new Set(rows.map(({ id }) => id))
    lastId = rows.at(-1)?.id ?? lastId
  }

  /** Runs one poll at a time. A call during a poll starts another poll after it, because the first may miss rows. */
  function catchUp(): Promise<void> {
    if (polling) {
      isPollDue = true
      return polling
    }
    polling = (async () => {
      try {
        do {
          isPollDue = false
          await poll()
        } while (isPollDue)
      } finally {
        polling = undefined
      }
    })()
    return polling
  }

  return {
    on: (entity: ChangedEntity, listener: ChangeListener): void => void listeners[entity].push(listener),
    /** Reads the feed immediately. Operations call this after each write, so that this process uses the new data. */
    catchUp,
    /** Starts to follow the writes of other processes. Short-lived commands do not call this. */
    async follow(): Promise<void> {
      const newest = await db.reader('changes').max({ id: 'id' }).first()
      lastId = Number(newest?.id ?? 0)
      unwatch = await db.watch(() => void catchUp().catch(onFailure))
      // Notify all listeners, because data that was loaded before this point may be stale.
      for (const all of Object.values(listeners)) for (const listener of all) await listener(undefined)
      const trim = () =>
        inShortBatches((rowsMax) =>
          db.transaction((trx) => {
            const old = trx('changes').where('created_at', '<', now() - RETENTION_S)
            return trx('changes').whereIn('id', old.orderBy('id').limit(rowsMax).select('id')).delete()
          }),
        )
      trimming = setInterval(() => void trim().catch(onFailure), TRIM_EVERY_MS).unref()
    },
    async close(): Promise<void> {
      clearInterval(trimming)
      await unwatch?.()
      await polling?.catch(() => {}) // Closing ignores a failed poll.
    },
  }
}

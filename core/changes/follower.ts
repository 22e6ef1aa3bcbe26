import type { Database } from '../db/database.ts'
import { inShortBatches } from '../db/short-batches.ts'
import type { ChangedEntity } from './changes.ts'

/** Who wants to know which rows of an entity changed. `undefined`: any of them may have. */
export type ChangeListener = (ids: string[] | undefined) => void | Promise<void>

/** Follows the change feed and tells listeners, in this process, what any process edited. */
export interface Follower {
  on(entity: ChangedEntity, listener: ChangeListener): void
  /** Looks now, rather than at the next tick: after one's own write. */
  catchUp(): Promise<void>
  /** Begins to follow what other processes write. A short-lived command has no need to. */
  follow(): Promise<void>
  close(): Promise<void>
}

/** Transactions commit out of the order of their ids on PostgreSQL: look back this far for late ones. */
const LOOK_BACK = 1000
const KEEP_S = 24 * 3600
const TRIM_EVERY_MS = 3_600_000

export function createFollower({
  db,
  now,
  onFailure,
}: {
  db: Database
  now: () => number
  onFailure: (error: unknown) => void
}): Follower {
  const listeners: Record<ChangedEntity, ChangeListener[]> = { option: [], channel: [], token: [], user: [] }
  let last = 0
  let seen = new Set<number>()
  let looking: Promise<void> | undefined
  let again = false
  let unwatch: (() => Promise<void>) | undefined
  let trimming: NodeJS.Timeout | undefined

  async function look(): Promise<void> {
    const from = last - (db.kind === 'postgres' ? LOOK_BACK : 0)
    const rows = (await db
      .reader('changes')
      .where('id', '>', from)
      .orderBy('id')
      .select('id', 'entity', 'entity_id')) as {
      id: number
      entity: ChangedEntity
      entity_id: string
    }[]
    const fresh = rows.filter(({ id }) => !seen.has(id))
    for (const entity of Object.keys(listeners) as ChangedEntity[]) {
      const ids = [...new Set(fresh.filter((row) => row.entity === entity).map(({ entity_id }) => entity_id))]
      if (ids.length) for (const listener of listeners[entity]) await listener(ids)
    }
    // Only now: what a listener failed to take in is told again at the next look.
    seen = new Set(rows.map(({ id }) => id))
    last = rows.at(-1)?.id ?? last
  }

  /** One look at a time; who asks meanwhile gets one that starts after the asking. */
  function catchUp(): Promise<void> {
    if (looking) {
      again = true
      return looking
    }
    looking = (async () => {
      try {
        do {
          again = false
          await look()
        } while (again)
      } finally {
        looking = undefined
      }
    })()
    return looking
  }

  return {
    on: (entity, listener) => void listeners[entity].push(listener),
    catchUp,
    async follow() {
      const newest = await db.reader('changes').max({ id: 'id' }).first()
      last = Number(newest?.id ?? 0)
      unwatch = await db.watch(() => void catchUp().catch(onFailure))
      // What was loaded before following began may be stale by now.
      for (const all of Object.values(listeners)) for (const listener of all) await listener(undefined)
      const trim = () =>
        inShortBatches((rowsMax) =>
          db.transaction((trx) => {
            const old = trx('changes').where('created_at', '<', now() - KEEP_S)
            return trx('changes').whereIn('id', old.orderBy('id').limit(rowsMax).select('id')).delete()
          }),
        )
      trimming = setInterval(() => void trim().catch(onFailure), TRIM_EVERY_MS).unref()
    },
    async close() {
      clearInterval(trimming)
      await unwatch?.()
      await looking?.catch(() => {}) // Its listeners are going away too.
    },
  }
}

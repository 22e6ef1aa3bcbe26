import type { Knex } from 'knex'
import type { BatchApi } from '../channels/types/types.ts'
import type { Database } from '../db/database.ts'
import { withinDatabaseWait } from '../db/unavailable.ts'
import type { Ledger } from '../ledger/ledger.ts'
import type { Logs } from '../logs/logs.ts'
import {
  BATCH_ROW_COLUMNS,
  type BatchRow,
  isPossibleId,
  type ObjectOwner,
  type StoredBatch,
  SUBMITTING,
  toBatch,
  UNCHARGED,
} from './rows.ts'

/**
 * The reason for settling a batch. `results`: the upstream returned results. `channel-deleted`: the batch's channel was
 * deleted. `lost`: the upstream has neither the batch nor its results. `absent`: the upstream did not accept the batch.
 */
type BatchOutcome = 'results' | 'channel-deleted' | 'lost' | 'absent'

/** The usage of a batch, and its price in quota. */
export interface BatchUse {
  readonly promptTokens: number
  readonly completionTokens: number
  readonly quota: number
}

/** A batch without its prices, because the prices of many requests take megabytes. */
type ListedBatch = Pick<StoredBatch, 'id' | 'batchId' | 'body'>
export type DueBatch = Pick<StoredBatch, 'id' | 'createdAt' | 'pollAt'>

/** The requested page of a list, newest first. */
interface BatchPage {
  /** A batch id. The page has the batches after this batch in the list, which are older. */
  readonly after?: string | undefined
  /** A batch id. The page has the batches before this batch in the list, which are newer. */
  readonly before?: string | undefined
  readonly limit: number
}

/**
 * Batches of requests at upstreams. Each batch belongs to the user who created it. A row with the status `submitting`
 * is stored before the upstream gets the batch. One transaction then charges the highest possible price of all requests
 * and replaces this row (`Charge.task`). When the batch has ended, the difference from its actual price is refunded
 * once.
 */
export type Batches = ReturnType<typeof createBatches>

export function createBatches(parts: {
  db: Database
  ledger: Pick<Ledger, 'refund'>
  logs: Pick<Logs, 'write'>
  now: () => number
}) {
  const { db, ledger, logs, now } = parts
  const rowsOfOwner = ({ userId, memberId }: ObjectOwner, api: BatchApi) =>
    db
      .reader('batches')
      .where({ user_id: userId, member_id: memberId, api, deleted_at: 0 })
      .whereNot({ status: SUBMITTING })

  async function readBatch(rows: Knex.QueryBuilder): Promise<StoredBatch | undefined> {
    const row: BatchRow | undefined = await rows.first(BATCH_ROW_COLUMNS)
    return row && toBatch(row)
  }

  async function rowId(owner: ObjectOwner, api: BatchApi, batchId: string): Promise<number | undefined> {
    if (!isPossibleId(batchId)) return undefined
    const row = await rowsOfOwner(owner, api).where({ batch_id: batchId }).orderBy('id', 'desc').first('id')
    return row && Number(row.id)
  }

  async function refund(
    trx: Knex.Transaction,
    batch: StoredBatch,
    { use, outcome }: { use: BatchUse; outcome: BatchOutcome },
  ): Promise<void> {
    const { id, userId, tokenId, channelId, batchId } = batch
    const quota = Math.max(0, batch.quota - use.quota)
    const reference = `batches:${id}`
    const credited = await ledger.refund(trx, { userId, tokenId, channelId, quota, reference, note: batchId })
    const user = await trx('users').where({ id: userId }).first('username')
    if (!user) return
    const { promptTokens, completionTokens, quota: cost } = use
    const row = { type: 'system', userId, username: user.username, quota: credited ?? 0 } as const
    if (outcome === 'absent') await logs.write(trx, { ...row, text: 'batch-absent', taskId: batch.requestId })
    else {
      const ended = { text: 'batch-ended', taskId: batchId, promptTokens, completionTokens, cost } as const
      await logs.write(trx, { ...row, ...ended })
    }
  }

  return {
    /** Returns the batch if it belongs to the owner, otherwise undefined. Throws DATABASE_UNAVAILABLE. */
    async find(
      owner: ObjectOwner,
      { api, batchId }: { api: BatchApi; batchId: string },
    ): Promise<StoredBatch | undefined> {
      if (!isPossibleId(batchId)) return undefined
      return withinDatabaseWait(readBatch(rowsOfOwner(owner, api).where({ batch_id: batchId }).orderBy('id', 'desc')))
    },
    /** Returns a batch by the id of its row. */
    get: (id: number): Promise<StoredBatch | undefined> => readBatch(db.reader('batches').where({ id })),
    /** Returns the user's batch that the request with this id created. */
    ofRequest: (userId: number, requestId: string): Promise<StoredBatch | undefined> =>
      readBatch(db.reader('batches').where({ user_id: userId, request_id: requestId })),
    /** Returns a page of an owner's batches. If `after` or `before` is not a batch of the owner, it is ignored. */
    async list(
      owner: ObjectOwner,
      api: BatchApi,
      { after, before, limit }: BatchPage,
    ): Promise<{ items: ListedBatch[]; hasMore: boolean }> {
      const below = after === undefined ? undefined : await rowId(owner, api, after)
      const above = before === undefined ? undefined : await rowId(owner, api, before)
      const rows: Pick<BatchRow, 'id' | 'batch_id' | 'body'>[] = await rowsOfOwner(owner, api)
        .modify((where) => {
          if (below !== undefined) where.where('id', '<', below)
          if (above !== undefined) where.where('id', '>', above)
        })
        // With `before`, select the batches next to that batch, not the newest of all.
        .orderBy('id', above === undefined ? 'desc' : 'asc')
        .limit(limit + 1)
        .select('id', 'batch_id', 'body')
      const page = rows.slice(0, limit).map(({ id, batch_id, body }) => ({ id: Number(id), batchId: batch_id, body }))
      return { items: above === undefined ? page : page.reverse(), hasMore: rows.length > limit }
    },
    /** Returns unsettled batches that are due for a poll, the longest overdue first. */
    async due(limit: number): Promise<DueBatch[]> {
      const rows: Pick<BatchRow, 'id' | 'created_at' | 'poll_at'>[] = await db
        .reader('batches')
        .where({ settled_at: 0 })
        .where('poll_at', '<=', now())
        .orderBy('poll_at')
        .limit(limit)
        .select('id', 'created_at', 'poll_at')
      return rows.map(({ id, created_at, poll_at }) => ({
        id: Number(id),
        createdAt: Number(created_at),
        pollAt: Number(poll_at),
      }))
    },
    /**
     * Sets the time of a batch's next poll (Unix seconds). Returns false if another process has claimed or settled the
     * batch since this process read it. Only a process that gets true may poll.
     */
    async claim({ id, pollAt }: Pick<StoredBatch, 'id' | 'pollAt'>, nextAt: number): Promise<boolean> {
      const claimed = await db.transaction((trx) =>
        trx('batches').where({ id, poll_at: pollAt, settled_at: 0 }).update({ poll_at: nextAt }),
      )
      return claimed > 0
    },
    /** Stores the upstream's description of a batch. A settled batch stays unchanged. */
    async describe(id: number, { status, body }: { status: string; body: string }): Promise<void> {
      await db.transaction((trx) => trx('batches').where({ id, settled_at: 0 }).update({ status, body }))
    },
    /**
     * Settles a batch at its actual usage and refunds the rest of the charge, in one transaction and only once. Returns
     * whether this call settled it. `use.quota` may exceed the charge of the batch only if the caller has charged the
     * excess before.
     */
    settle: (
      batch: StoredBatch,
      { use, outcome, status, body }: { use: BatchUse; outcome: BatchOutcome; status: string; body: string },
    ): Promise<boolean> =>
      db.transaction(async (trx) => {
        // The UPDATE matches only an unsettled batch, so that only one of two concurrent processes refunds.
        const settled = await trx('batches')
          .where({ id: batch.id, settled_at: 0 })
          .update({
            settled_at: now(),
            outcome,
            status,
            body,
            final_quota: use.quota,
            prompt_tokens: use.promptTokens,
            completion_tokens: use.completionTokens,
            // Hide a rejected batch, because no client has its id.
            ...(outcome === 'absent' && { deleted_at: now() }),
          })
        if (!settled) return false
        await refund(trx, batch, { use, outcome })
        return true
      }),
    /** Hides a batch that its owner deleted. */
    async remove(id: number): Promise<void> {
      await db.transaction((trx) => trx('batches').where({ id }).update({ deleted_at: now() }))
    },
    /** Returns whether the process that submits a batch is alive. */
    async isSubmitterAlive({ submitter }: Pick<StoredBatch, 'submitter'>): Promise<boolean> {
      return (await db.reader('nodes').where({ id: submitter }).first('id')) !== undefined
    },
    /** Stores the upstream's id and description in a charged row. Returns false if no such row is `submitting`. */
    async adopt(
      id: number,
      { batchId, status, body }: Pick<StoredBatch, 'batchId' | 'status' | 'body'>,
    ): Promise<boolean> {
      const adopted = await db.transaction((trx) =>
        trx('batches')
          .where({ id, status: SUBMITTING, submitter: '', settled_at: 0 })
          .update({ batch_id: batchId, status, body }),
      )
      return adopted > 0
    },
    /** Deletes the uncharged row of a batch that the upstream did not accept. */
    async withdraw(userId: number, requestId: string): Promise<void> {
      const where = { user_id: userId, request_id: requestId }
      await db.transaction((trx) => trx('batches').where(where).whereRaw(UNCHARGED).delete())
    },
    /** Returns the `batchIds` that are stored, for any user and channel. */
    async storedIds(api: BatchApi, batchIds: readonly string[]): Promise<Set<string>> {
      return new Set<string>(await db.reader('batches').where({ api }).whereIn('batch_id', batchIds).pluck('batch_id'))
    },
  }
}

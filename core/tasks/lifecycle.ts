import type { Knex } from 'knex'
import type { Database } from '../db/database.ts'
import { toTaskRow } from '../ledger/batch.ts'
import type { NewTask } from '../ledger/charge.ts'
import type { Ledger } from '../ledger/ledger.ts'
import { insertTask } from '../ledger/settlement.ts'
import type { Logs } from '../logs/logs.ts'

/** The tables of tasks: `midjourneys` for drawings (times in milliseconds), `tasks` for other tasks (in seconds). */
export type TaskTableName = Exclude<NewTask['table'], 'batches'>

/** An unfinished task of any user. */
export interface UnfinishedTask {
  id: number
  /** The task's id at the upstream. */
  upstreamId: string
  userId: number
  channelId: number
  /** Digest of the channel key that submitted the task. Empty if the channel has only one key. */
  keyDigest: string
  /** Unix time in the unit of the table. */
  submitTime: number
  /** The values of the columns that the caller requested. */
  stored: Readonly<Record<string, string | number | null>>
}

/** The outcome of a task. The charge of a failed task is refunded. */
export type TaskEnd = 'success' | 'failure'

/** Stores tasks from their acceptance upstream to their end. Only the first process to see the end records it. */
export interface TaskLifecycle {
  /**
   * Stores a task without a charge. Returns false if an unfinished task with the same id and channel key exists. A paid
   * task is stored together with its charge (`Charge.task`).
   */
  insertUnpaid(task: NewTask): Promise<boolean>
  /** Returns unfinished tasks with row ids above `after`, oldest first. `of` limits the result to one channel key. */
  unfinished(
    table: TaskTableName,
    page: {
      of?: { channelId: number; keyDigest: string }
      platform?: string | undefined
      after: number
      limit: number
      columns?: readonly string[]
    },
  ): Promise<UnfinishedTask[]>
  /** Returns the channel keys that have unfinished tasks. */
  unfinishedAccounts(table: TaskTableName, platform?: string): Promise<{ channelId: number; keyDigest: string }[]>
  /** Returns which of these channels are deleted. Tasks of deleted channels cannot be polled. */
  deletedChannels(ids: readonly number[]): Promise<Set<number>>
  /**
   * Writes an upstream's report of a task, unless the task is finished. Returns whether the report was written. Only
   * `end` finishes a task. So without `end`, a progress of 100 % is stored as 99 %.
   *
   * If the task failed, the same transaction refunds its charge to user, token and channel.
   */
  advance(
    table: TaskTableName,
    id: number,
    changes: Readonly<Record<string, string | number>>,
    end?: TaskEnd,
  ): Promise<boolean>
}

/** The progress of a finished task. Tasks with another progress are polled. */
export const FINISHED = '100%'
const NEARLY_FINISHED = '99%'
const COLUMNS = ['id', 'user_id', 'channel_id', 'key_digest', 'submit_time'] as const
const UPSTREAM_ID = { midjourneys: 'mj_id', tasks: 'task_id' } as const
const REFUND_TEXT = { midjourneys: 'drawing-refunded', tasks: 'task-refunded' } as const

/**
 * SQL condition for a platform. The concatenation keeps SQLite from using the index of this column. Nearly all tasks
 * have the same platform, so the index would be slow.
 */
export const PLATFORM_IS = "platform || '' = ?"

export function createTaskLifecycle(parts: {
  db: Database
  ledger: Pick<Ledger, 'refund'>
  logs: Pick<Logs, 'write'>
}): TaskLifecycle {
  const { db, ledger, logs } = parts
  async function refundTask(trx: Knex.Transaction, table: TaskTableName, id: number): Promise<void> {
    const upstreamId = UPSTREAM_ID[table]
    const row = await trx(table)
      .leftJoin('users', 'users.id', `${table}.user_id`)
      .where(`${table}.id`, id)
      .first(`${table}.user_id`, 'token_id', 'channel_id', `${table}.quota`, upstreamId, 'request_id', 'users.username')
    const { user_id: userId, token_id: tokenId, channel_id: channelId, quota, username } = row
    // Imported tasks have no request id, because another gateway charged them.
    if (row.request_id === '') return
    const taskId: string = row[upstreamId]
    const refund = { userId, tokenId, channelId, quota, reference: `${table}:${id}`, note: taskId }
    const credited = await ledger.refund(trx, refund)
    if (credited === undefined) return
    await logs.write(trx, { type: 'system', userId, username, text: REFUND_TEXT[table], quota: credited, taskId })
  }

  function openTasks(table: TaskTableName, platform: string | undefined) {
    // Use a literal, as the partial index does. With a parameter, the database would scan all tasks.
    const unfinished = db.reader(table).whereRaw(`progress <> '${FINISHED}'`)
    return platform === undefined ? unfinished : unfinished.whereRaw(PLATFORM_IS, [platform])
  }

  return {
    insertUnpaid: (task) => db.transaction((trx) => insertTask(trx, task)),

    async unfinished(table, { of, platform, after, limit, columns = [] }) {
      const rows = await openTasks(table, platform)
        .where({ ...(of && { channel_id: of.channelId, key_digest: of.keyDigest }) })
        .where('id', '>', after)
        .orderBy('id')
        .limit(limit)
        .select(...COLUMNS, { upstream_id: UPSTREAM_ID[table] }, ...columns)
      return rows.map(({ id, user_id, channel_id, key_digest, submit_time, upstream_id, ...stored }) => ({
        id: Number(id),
        upstreamId: upstream_id,
        userId: user_id,
        channelId: channel_id,
        keyDigest: key_digest,
        submitTime: Number(submit_time),
        stored,
      }))
    },

    async unfinishedAccounts(table, platform) {
      const rows = await openTasks(table, platform).distinct('channel_id', 'key_digest')
      return rows.map(({ channel_id, key_digest }) => ({ channelId: channel_id, keyDigest: key_digest }))
    },

    async deletedChannels(ids) {
      const existingIds: number[] = await db.reader('channels').whereIn('id', ids).pluck('id')
      return new Set(ids.filter((id) => !existingIds.includes(id)))
    },

    advance: (table, id, changes, end) =>
      db.transaction(async (trx) => {
        const adjusted = !end && changes.progress === FINISHED ? { ...changes, progress: NEARLY_FINISHED } : changes
        const row = toTaskRow({ row: { ...adjusted, ...(end && { progress: FINISHED }) } })
        // The UPDATE checks the progress. If two processes see the end, only one of them refunds the task.
        const written = await trx(table).where({ id }).whereNot({ progress: FINISHED }).update(row)
        if (!written) return false
        if (end === 'failure') await refundTask(trx, table, id)
        return true
      }),
  }
}

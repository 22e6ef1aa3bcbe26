import type { Knex } from 'knex'
import type { Database } from '../db/database.ts'
import { toTaskRow } from '../ledger/batch.ts'
import type { NewTask } from '../ledger/charge.ts'
import type { Ledger } from '../ledger/ledger.ts'
import { insertTask } from '../ledger/settlement.ts'
import type { Logs } from '../logs/logs.ts'
import { PLATFORM_IS } from './platform.ts'

/** The two kinds of task, each in a table of its own: drawings (times in milliseconds) and async tasks (seconds). */
export type TaskTable = NewTask['table']

/** What is known of a task that is not finished, whoever submitted it. */
export interface UnfinishedTask {
  id: number
  /** What its upstream calls it. */
  upstreamId: string
  userId: number
  channelId: number
  /** Which of the channel's keys submitted it; '' where it has one. */
  keyDigest: string
  /** In the unit of the table. */
  submitTime: number
  /** The columns that were asked for besides, as they are in the row. */
  stored: Readonly<Record<string, string | number | null>>
}

/** How a task ended. A failure gives its charge back. */
export type TaskEnd = 'success' | 'failure'

/** Tasks from the moment an upstream has taken them until they are finished: once, whoever finds it out first. */
export interface TaskLifecycle {
  /**
   * Keeps a task that nobody paid for. One that is paid for comes with its charge (`Charge.task`). Answers false where there is
   * one of that name already.
   */
  insertUnpaid(task: NewTask): Promise<boolean>
  /** Those that are not finished, oldest first, with ids above `after`; all that there are, or those of one key of one channel. */
  unfinished(
    table: TaskTable,
    page: {
      of?: { channelId: number; keyDigest: string }
      platform?: string | undefined
      after: number
      limit: number
      columns?: readonly string[]
    },
  ): Promise<UnfinishedTask[]>
  /** Whose tasks are not finished: each key of each channel once. */
  unfinishedAccounts(table: TaskTable, platform?: string): Promise<{ channelId: number; keyDigest: string }[]>
  /** Those of these channels that are deleted: nobody will ever hear of their tasks. */
  deletedChannels(ids: readonly number[]): Promise<Set<number>>
  /**
   * Writes what an upstream says of a task, unless it is finished already. With `end` it is finished from now on, and what a
   * failed one had cost goes back to user, token and channel in the same transaction. Answers whether it was written. A
   * progress of 100 % alone finishes nothing.
   */
  advance(
    table: TaskTable,
    id: number,
    changes: Readonly<Record<string, string | number>>,
    end?: TaskEnd,
  ): Promise<boolean>
}

/** The progress of a task that is finished; every other is still asked for. */
export const FINISHED = '100%'
const NEARLY = '99%'
const KNOWN = ['id', 'user_id', 'channel_id', 'key_digest', 'submit_time'] as const
const UPSTREAM_ID = { midjourneys: 'mj_id', tasks: 'task_id' } as const
const REFUND_TEXT = { midjourneys: 'drawing-refunded', tasks: 'task-refunded' } as const

export function createTaskLifecycle({
  db,
  ledger,
  logs,
}: {
  db: Database
  ledger: Pick<Ledger, 'refund'>
  logs: Pick<Logs, 'write'>
}): TaskLifecycle {
  async function payBack(trx: Knex.Transaction, table: TaskTable, id: number): Promise<void> {
    const upstreamId = UPSTREAM_ID[table]
    const row = await trx(table)
      .leftJoin('users', 'users.id', `${table}.user_id`)
      .where(`${table}.id`, id)
      .first(`${table}.user_id`, 'token_id', 'channel_id', `${table}.quota`, upstreamId, 'request_id', 'users.username')
    const { user_id: userId, token_id: tokenId, channel_id: channelId, quota, username } = row
    // It was imported: what another gateway has charged, or only noted, is not in these books.
    if (row.request_id === '') return
    const taskId: string = row[upstreamId]
    const refund = { userId, tokenId, channelId, quota, reference: `${table}:${id}`, note: taskId }
    const credited = await ledger.refund(trx, refund)
    if (credited === undefined) return
    await logs.write(trx, { type: 'system', userId, username, text: REFUND_TEXT[table], quota: credited, taskId })
  }

  function open(table: TaskTable, platform: string | undefined) {
    // Written as the index has it: a parameter would make the database look at every task that there ever was.
    const unfinished = db.reader(table).whereRaw(`progress <> '${FINISHED}'`)
    return platform === undefined ? unfinished : unfinished.whereRaw(PLATFORM_IS, [platform])
  }

  return {
    insertUnpaid: (task) => db.transaction((trx) => insertTask(trx, task)),

    async unfinished(table, { of, platform, after, limit, columns = [] }) {
      const rows = await open(table, platform)
        .where({ ...(of && { channel_id: of.channelId, key_digest: of.keyDigest }) })
        .where('id', '>', after)
        .orderBy('id')
        .limit(limit)
        .select(...KNOWN, { upstream_id: UPSTREAM_ID[table] }, ...columns)
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
      const rows = await open(table, platform).distinct('channel_id', 'key_digest')
      return rows.map(({ channel_id, key_digest }) => ({ channelId: channel_id, keyDigest: key_digest }))
    },

    async deletedChannels(ids) {
      const there: number[] = await db.reader('channels').whereIn('id', ids).pluck('id')
      return new Set(ids.filter((id) => !there.includes(id)))
    },

    advance: (table, id, changes, end) =>
      db.transaction(async (trx) => {
        const said = !end && changes.progress === FINISHED ? { ...changes, progress: NEARLY } : changes
        const row = toTaskRow({ row: { ...said, ...(end && { progress: FINISHED }) } })
        // The progress is part of the UPDATE: of two who found the end, one pays back.
        const written = await trx(table).where({ id }).whereNot({ progress: FINISHED }).update(row)
        if (!written) return false
        if (end === 'failure') await payBack(trx, table, id)
        return true
      }),
  }
}

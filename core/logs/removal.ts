import type { Knex } from 'knex'
import type { Database } from '../db/database.ts'
import { requireRow } from '../db/require-row.ts'
import { type BatchPace, inShortBatches, ON_SQLITE } from '../db/short-batches.ts'
import { CHECKPOINT } from '../db/sqlite-checkpoints.ts'
import { errorMessage } from '../error-parts.ts'
import { addCarried } from '../ledger/carried.ts'
import { appendEntries, type Sign } from '../ledger/chain.ts'
import { LOG_TYPE } from './log.ts'
import { RECORD_DELETION, recordCleared } from './totals.ts'

/**
 * Log rows are deleted in short transactions. Each transaction adds the deleted charges of a user to the user's sum for
 * this removal. So the ledger check (`balance = entries − charges − sums`) is always exact. At the end of the removal,
 * one `carry` entry per user replaces the sum, again in short transactions. If the process crashes, another process
 * writes these entries, but deletes no further rows.
 */

const TOUCH_EVERY_S = 5
/** Minimum number of entries per batch. Smaller than for rows, because writing takes longer than deleting. */
const ENTRIES_MIN = 100
/** If the row of a removal was not updated for this time, its process counts as crashed. */
const SILENT_AFTER_S = 60

/** One deletion of log rows, in many transactions. */
export interface Removal {
  id: number
  actorId: number
  /** Unix seconds. Only older rows are deleted. */
  before: number
  now: () => number
  sign: Sign
}

/** Begins a removal. `alongside` may write other rows in the same transaction. */
export async function beginRemoval(
  db: Database,
  { actorId, before, now, sign }: Omit<Removal, 'id'>,
  alongside: (trx: Knex.Transaction) => Promise<void> = async () => {},
): Promise<Removal> {
  const [removal] = await db.transaction(async (trx) => {
    const row = { actor_id: actorId, before, touched_at: now() }
    const inserted = await trx('log_clears').insert(row).returning('id')
    await alongside(trx)
    return inserted
  })
  await db.transaction((trx) => recordCleared(trx, before))
  return { id: requireRow(removal).id, actorId, before, now, sign }
}

/** Ends removals whose process crashed, without deleting further rows. Returns the number of ended removals. */
export async function finishRemovals(db: Database, { now, sign }: Pick<Removal, 'now' | 'sign'>): Promise<number> {
  const silent: { id: number; actor_id: number; before: number }[] = await db
    .reader('log_clears')
    .where('touched_at', '<', now() - SILENT_AFTER_S)
    .select('id', 'actor_id', 'before')
  for (const { id, actor_id: actorId, before } of silent) await endRemoval(db, { id, actorId, before, now, sign })
  return silent.length
}

const CHARGES = `type = ${LOG_TYPE.consumption} AND request_id IS NOT NULL`
const ADD_SUMS = `ON CONFLICT (clear_id, user_id) DO UPDATE
  SET quota = log_clear_sums.quota + excluded.quota, requests = log_clear_sums.requests + excluded.requests`
/**
 * Records deleted charges of tokens and channels, because `used_quota` still includes these charges. `endRemoval`
 * records the charges of users, together with their entries.
 */
const ADD_CARRIED = 'ON CONFLICT (account, account_id) DO UPDATE SET quota = carried_sums.quota + excluded.quota'

/** The rows that a batch deletes. */
interface RowSelection {
  /** Unix seconds, `until` exclusive. PostgreSQL plans for all partitions in the range, so it must be narrow. */
  since: number
  until: number
  /** SQL after the condition on the time, such as further conditions, order and limit. */
  restSql: string
}

const inRange = ({ since, until }: RowSelection): string =>
  `logs.created_at >= ${Math.trunc(since)} AND logs.created_at < ${Math.trunc(until)}`

interface DeletedRows {
  count: number
  /** Time of the newest deleted row in Unix seconds. Undefined if no row was deleted. */
  newest: number | undefined
}

/**
 * Returns the pace of the batches, or undefined for the default. On SQLite, each pause copies the write-ahead log into
 * the database without blocking writers. Otherwise the COMMIT of a relay would have to copy the log.
 */
export const paceOn = ({ kind, reader }: Database, rowsMin?: number): BatchPace | undefined =>
  kind === 'sqlite' ? { ...ON_SQLITE, ...(rowsMin && { rowsMin }), inPause: () => reader.raw(CHECKPOINT) } : undefined

/** Deletes the rows of one batch and adds their charges to the sums of the removal, in one transaction. */
export const deleteRows = (
  db: Database,
  removal: Pick<Removal, 'id'>,
  selection: RowSelection,
): Promise<DeletedRows> =>
  db.script
    ? deleteOnSqlite(db.reader, db.script, removal, selection)
    : db.transaction((trx) => deleteOnPostgres(trx, removal, selection))

/** Returns a function that each batch must call. The function records, every few seconds, that the process is alive. */
export function createKeepAlive(db: Database, { id, now }: Pick<Removal, 'id' | 'now'>): () => Promise<void> {
  let touchedAt = now()
  return async () => {
    if (now() - touchedAt < TOUCH_EVERY_S) return
    touchedAt = now()
    await db.transaction((trx) => trx('log_clears').where({ id }).update({ touched_at: touchedAt }))
  }
}

async function deleteOnPostgres(
  trx: Knex.Transaction,
  { id: runId }: Pick<Removal, 'id'>,
  selection: RowSelection,
): Promise<DeletedRows> {
  await trx.raw(RECORD_DELETION)
  // Skip rows that another removal is deleting. Update the sums of tokens before those of channels, as other
  // transactions do.
  const { rows } = await trx.raw(
    `WITH doomed AS (SELECT id FROM logs WHERE ${inRange(selection)} ${selection.restSql} FOR UPDATE SKIP LOCKED),
      gone AS (DELETE FROM logs USING doomed WHERE logs.id = doomed.id AND ${inRange(selection)}
        RETURNING logs.id, logs.user_id, logs.token_id, logs.channel_id, logs.quota, logs.type, logs.request_id,
          logs.created_at),
      failed AS (DELETE FROM failed_relays USING gone WHERE log_id = gone.id AND gone.type = ${LOG_TYPE.error}),
      charges AS (SELECT * FROM gone WHERE ${CHARGES}),
      summed AS (INSERT INTO log_clear_sums (clear_id, user_id, quota, requests)
        SELECT CAST(? AS bigint), user_id, SUM(quota), COUNT(*) FROM charges GROUP BY user_id ${ADD_SUMS}),
      carried AS (INSERT INTO carried_sums (account, account_id, quota)
        SELECT account, account_id, SUM(quota) FROM (
          SELECT 'token' AS account, token_id AS account_id, quota FROM charges
          UNION ALL SELECT 'channel', channel_id, quota FROM charges
        ) parts WHERE account_id > 0 GROUP BY account, account_id ORDER BY account DESC, account_id ${ADD_CARRIED})
    SELECT count(*) AS total, max(created_at) AS newest FROM gone`,
    [runId],
  )
  return { count: Number(rows[0]?.total ?? 0), newest: rows[0]?.newest ?? undefined }
}

/**
 * Deletes the rows of one batch on SQLite. The transaction is one script. Rows never change, so they can be read before
 * it. If another removal has deleted some of them in the meantime, the whole script fails and the function starts over.
 */
async function deleteOnSqlite(
  reader: Knex,
  script: NonNullable<Database['script']>,
  removal: Pick<Removal, 'id'>,
  selection: RowSelection,
): Promise<DeletedRows> {
  const rows: RowToDelete[] = await reader.raw(
    `SELECT id, created_at, type, user_id, token_id, channel_id, CASE WHEN ${CHARGES} THEN quota END AS charged
      FROM logs WHERE ${inRange(selection)} ${selection.restSql}`,
  )
  if (rows.length === 0) return { count: 0, newest: undefined }
  const users = sumsBy(rows, 'user_id').map(([id, { quota, count }]) => `(${removal.id}, ${id}, ${quota}, ${count})`)
  const carried = (['token', 'channel'] as const).flatMap((account) =>
    sumsBy(rows, `${account}_id`).map(([id, { quota }]) => `('${account}', ${id}, ${quota})`),
  )
  const failed = rows.filter(({ type }) => type === LOG_TYPE.error).map(({ id }) => id)
  const statements = [
    RECORD_DELETION,
    ...(users.length
      ? [`INSERT INTO log_clear_sums (clear_id, user_id, quota, requests) VALUES ${users.join(',')} ${ADD_SUMS}`]
      : []),
    ...(carried.length
      ? [`INSERT INTO carried_sums (account, account_id, quota) VALUES ${carried.join(',')} ${ADD_CARRIED}`]
      : []),
    `DELETE FROM logs WHERE id IN (${rows.map(({ id }) => id).join(',')})`,
    // If fewer rows were deleted than read, json() gets text that is not JSON. This makes the script fail.
    `SELECT iif(changes() = ${rows.length}, 1, json('${NOT_JSON}'))`,
    ...(failed.length ? [`DELETE FROM failed_relays WHERE log_id IN (${failed.join(',')})`] : []),
  ]
  try {
    await script(statements.join(';\n'))
  } catch (error) {
    if (!/malformed JSON/i.test(errorMessage(error))) throw error
    return deleteOnSqlite(reader, script, removal, selection)
  }
  return { count: rows.length, newest: rows.at(-1)?.created_at }
}

const NOT_JSON = 'another removal has deleted some'

interface RowToDelete {
  id: number
  created_at: number
  type: number
  user_id: number
  token_id: number
  channel_id: number
  /** Null if the row is not a charge. */
  charged: number | null
}

/** Returns the quota and the number of charges of each user, token or channel. */
function sumsBy(
  rows: readonly RowToDelete[],
  by: 'user_id' | 'token_id' | 'channel_id',
): [id: number, sum: { quota: number; count: number }][] {
  const sums = new Map<number, { quota: number; count: number }>()
  for (const { [by]: id, charged } of rows) {
    if (charged === null || id <= 0) continue
    const sum = sums.get(id)
    if (sum) {
      sum.quota += charged
      sum.count += 1
    } else sums.set(id, { quota: charged, count: 1 })
  }
  return [...sums]
}

/** Ends a removal. Replaces its sums by one entry per user. */
export async function endRemoval(db: Database, { id: clearId, actorId, before, now, sign }: Removal): Promise<void> {
  const note = `log rows before ${before}`
  await inShortBatches(
    (rowsMax) =>
      db.transaction(async (trx) => {
        const sums: { user_id: number; quota: number; requests: number }[] = await trx('log_clear_sums')
          .where({ clear_id: clearId })
          .orderBy('user_id')
          .limit(rowsMax)
          .forUpdate()
          .select('user_id', 'quota', 'requests')
        if (sums.length === 0) return 0
        const ids = sums.map(({ user_id }) => user_id)
        const users = await trx('users').whereIn('id', ids).orderBy('id').forUpdate().select('id', 'quota')
        const balances = new Map(users.map(({ id, quota }) => [id, quota]))
        const rows = sums.map(({ user_id, quota }) => ({
          user_id,
          kind: 'carry',
          quota: -quota,
          balance_after: balances.get(user_id) ?? 0,
          actor_id: actorId,
          reference: null,
          note,
          created_at: now(),
        }))
        await appendEntries(trx, rows, sign)
        await addCarried(
          trx,
          'user',
          sums.map(({ user_id, quota, requests }) => ({ id: user_id, quota, count: requests })),
        )
        await trx('log_clear_sums').where({ clear_id: clearId }).whereIn('user_id', ids).delete()
        return sums.length
      }),
    paceOn(db, ENTRIES_MIN),
  )
  await db.transaction(async (trx) => {
    // If the removal's process is only slow, it may have added sums meanwhile. It then ends the removal itself.
    const remainingSum = await trx('log_clear_sums').where({ clear_id: clearId }).first('user_id')
    if (!remainingSum) await trx('log_clears').where({ id: clearId }).delete()
  })
}

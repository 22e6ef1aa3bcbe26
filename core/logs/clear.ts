import type { Knex } from 'knex'
import type { Actor } from '../actor.ts'
import type { Audit } from '../audit/audit.ts'
import type { Database } from '../db/database.ts'
import { inShortBatches, ON_SQLITE } from '../db/short-batches.ts'
import { addCarried } from '../ledger/carried.ts'
import { appendEntries, type Sign } from '../ledger/chain.ts'
import { LOG_TYPE } from './log.ts'
import { RECORD_DELETION, recordCleared } from './totals.ts'

/*
 * Rows are deleted in short transactions. Each adds what it deleted of a user's charges to that user's sum for this run, so that
 * the books (`balance = entries − charges − sums`) are exact after each of them. At the end one entry per user carries its sum
 * on, in short transactions too. If the process dies, another finishes the run.
 */

const TOUCH_EVERY_S = 5
/** A run that has not deleted anything for so long has lost its process. */
const SILENT_AFTER_S = 60

export interface Clearing {
  actor: Actor
  /** Unix seconds: older rows go. */
  before: number
  now: () => number
  sign: Sign
  audit: Audit
}

/** Deletes rows older than `before`, while relays go on. Returns how many. */
export async function clearRows(db: Database, { actor, before, now, sign, audit }: Clearing): Promise<number> {
  const [run] = await db.transaction(async (trx) => {
    const row = { actor_id: actor.id, before, touched_at: now() }
    const inserted = await trx('log_clears').insert(row).returning('id')
    await audit.write(trx, actor, { action: 'log.clear', object: 'log', after: { rows_before: before } })
    return inserted
  })
  const clearId: number = run.id
  await db.transaction((trx) => recordCleared(trx, before))
  const touch = toucher(db, { clearId, now })
  let cleared = 0
  // What another run had locked, and gave up, is left: it is looked for once more from the start.
  for (let found = 1; found > 0; ) {
    let since = 0
    found = await inShortBatches(async (rowsMax) => {
      await touch()
      const gone = await deleteRows(db, { clearId, since, before, rowsMax })
      since = gone.newest
      return gone.count
    }, paceOn(db))
    cleared += found
  }
  await carryOn(db, { clearId, actorId: actor.id, before, now, sign })
  return cleared
}

/** Finishes runs whose process has died. Returns how many. */
export async function finishClears(db: Database, { now, sign }: Pick<Clearing, 'now' | 'sign'>): Promise<number> {
  const silent: { id: number; actor_id: number; before: number }[] = await db
    .reader('log_clears')
    .where('touched_at', '<', now() - SILENT_AFTER_S)
    .select('id', 'actor_id', 'before')
  for (const { id: clearId, actor_id: actorId, before } of silent) {
    await carryOn(db, { clearId, actorId, before, now, sign })
  }
  return silent.length
}

interface Part {
  clearId: number
  /** Nothing older is left: PostgreSQL would pass over all that was deleted before with each batch. */
  since: number
  before: number
  rowsMax: number
}

const CHARGES = `type = ${LOG_TYPE.consumption} AND request_id IS NOT NULL`
/** The oldest rows first: their places in the index of times lie side by side. */
const OLDEST = 'FROM logs WHERE created_at >= ? AND created_at < ? ORDER BY created_at, id LIMIT ?'
const ADD_SUMS = `ON CONFLICT (clear_id, user_id) DO UPDATE
  SET quota = log_clear_sums.quota + excluded.quota, requests = log_clear_sums.requests + excluded.requests`
/** What goes from the log stays in `used_quota`. That of users is carried with their entries. */
const ADD_CARRIED = 'ON CONFLICT (account, account_id) DO UPDATE SET quota = carried_sums.quota + excluded.quota'

interface Gone {
  count: number
  /** When the newest of them was written. */
  newest: number
}

/**
 * In the pauses, what was written is copied from SQLite's write-ahead log into the database, beside those that write: else the
 * COMMIT of a relay would have to do it. https://sqlite.org/pragma.html#pragma_wal_checkpoint
 */
const paceOn = ({ kind, reader }: Database) =>
  kind === 'sqlite' ? { ...ON_SQLITE, inPause: () => reader.raw('PRAGMA wal_checkpoint(PASSIVE)') } : undefined

const deleteRows = (db: Database, part: Part): Promise<Gone> =>
  db.script ? deleteOnSqlite(db.reader, db.script, part) : db.transaction((trx) => deleteOnPostgres(trx, part))

/** Says now and then that the run goes on. */
function toucher(db: Database, { clearId, now }: { clearId: number; now: () => number }): () => Promise<void> {
  let touchedAt = now()
  return async () => {
    if (now() - touchedAt < TOUCH_EVERY_S) return
    touchedAt = now()
    await db.transaction((trx) => trx('log_clears').where({ id: clearId }).update({ touched_at: touchedAt }))
  }
}

async function deleteOnPostgres(trx: Knex.Transaction, { clearId, since, before, rowsMax }: Part): Promise<Gone> {
  await trx.raw(RECORD_DELETION)
  // Rows that another run deletes are left to it. Tokens before channels: the order in which others lock their sums.
  const { rows } = await trx.raw(
    `WITH doomed AS (SELECT id ${OLDEST} FOR UPDATE SKIP LOCKED),
      gone AS (DELETE FROM logs USING doomed WHERE logs.id = doomed.id
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
    [since, before, rowsMax, clearId],
  )
  return { count: Number(rows[0]?.total ?? 0), newest: rows[0]?.newest ?? since }
}

/**
 * Rows never change: they are read before the transaction, which is one script, as that of the ledger's fast path is. If another run
 * has deleted some of them meanwhile, the script fails as a whole, and what is left is read again.
 */
async function deleteOnSqlite(
  reader: Knex,
  script: NonNullable<Database['script']>,
  { clearId, since, before, rowsMax }: Part,
): Promise<Gone> {
  const rows: Doomed[] = await reader.raw(
    `SELECT id, created_at, type, user_id, token_id, channel_id, CASE WHEN ${CHARGES} THEN quota END AS charged ${OLDEST}`,
    [since, before, rowsMax],
  )
  if (rows.length === 0) return { count: 0, newest: since }
  const users = sumsBy(rows, 'user_id').map(([id, { quota, count }]) => `(${clearId}, ${id}, ${quota}, ${count})`)
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
    // json() of what is not JSON fails, and fails the script with it.
    `SELECT iif(changes() = ${rows.length}, 1, json('${TAKEN}'))`,
    ...(failed.length ? [`DELETE FROM failed_relays WHERE log_id IN (${failed.join(',')})`] : []),
  ]
  try {
    await script(statements.join(';\n'))
  } catch (error) {
    if (!/malformed JSON/i.test((error as Error).message)) throw error
    return deleteOnSqlite(reader, script, { clearId, since, before, rowsMax })
  }
  return { count: rows.length, newest: rows.at(-1)?.created_at ?? since }
}

const TAKEN = 'another run has deleted some'

interface Doomed {
  id: number
  created_at: number
  type: number
  user_id: number
  token_id: number
  channel_id: number
  /** null: the row is no charge. */
  charged: number | null
}

/** What was charged by user, token or channel, and how often. */
function sumsBy(
  rows: readonly Doomed[],
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

/** Turns the sums of a run into one entry per user, and ends it. */
async function carryOn(
  db: Database,
  { clearId, actorId, before, now, sign }: { clearId: number; actorId: number } & Omit<Clearing, 'actor' | 'audit'>,
): Promise<void> {
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
        const balances = new Map(users.map(({ id, quota }) => [id as number, quota as number]))
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
    paceOn(db),
  )
  await db.transaction(async (trx) => {
    // A run that was slow and not dead may have added sums meanwhile: it carries them on itself.
    const rest = await trx('log_clear_sums').where({ clear_id: clearId }).first('user_id')
    if (!rest) await trx('log_clears').where({ id: clearId }).delete()
  })
}

import type { Knex } from 'knex'
import { ID_MAX } from '../input.ts'
import { findAmong } from './bulk-insert.ts'

/**
 * Chooses an id for each new row. Keeps the source's id if it is above all ids that the table has allocated. Otherwise
 * takes the next free id. Ids of deleted rows are not reused, because other rows may still refer to them.
 *
 * For an interrupted import, `usedUpTo` is the highest id before the import. Higher ids without rows are free, because
 * PostgreSQL allocated them in a transaction that was rolled back. The caller must reserve the returned ids with
 * `reserveIds`, so that a running gateway does not allocate them.
 */
export async function chooseIds(
  trx: Knex,
  table: string,
  sourceIds: readonly number[],
  usedUpTo?: number,
): Promise<Map<number, number>> {
  if (sourceIds.length === 0) return new Map()
  const last = await highestId(trx, table)
  const used = usedUpTo ?? last
  const isNew = (id: number): boolean => id > used && id <= ID_MAX
  const candidates = sourceIds.filter(isNew)
  const existingRows =
    used === last
      ? []
      : await findAmong<{ id: number }>(trx, table, { column: 'id', values: candidates, select: ['id'] })
  const taken = new Set(existingRows.map(({ id }) => id))
  let next = candidates.reduce((highest, id) => Math.max(highest, id), last)
  return new Map(sourceIds.map((id) => [id, isNew(id) && !taken.has(id) ? id : ++next]))
}

/** Returns the highest id that the table has allocated. */
export async function highestId(db: Knex, table: string): Promise<number> {
  const largest = Number((await db(table).max({ id: 'id' }).first())?.id ?? 0)
  if (isPostgres(db)) {
    const { rows } = await db.raw(`SELECT last_value, is_called FROM ${await sequenceOf(db, table)}`)
    const [{ last_value, is_called }] = rows
    return Math.max(largest, is_called ? Number(last_value) : 0)
  }
  const counter = await db('sqlite_sequence').where({ name: table }).first('seq')
  return Math.max(largest, Number(counter?.seq ?? 0))
}

/** Makes all processes allocate only ids above `id` from now on. */
export async function reserveIds(trx: Knex.Transaction, table: string, id: number): Promise<void> {
  if (isPostgres(trx)) {
    const sequence = await sequenceOf(trx, table)
    await trx.raw(`SELECT setval('${sequence}', GREATEST(?, (SELECT last_value FROM ${sequence})))`, [id])
    return
  }
  const raised = await trx('sqlite_sequence').where({ name: table }).where('seq', '<', id).update({ seq: id })
  if (raised > 0 || (await trx('sqlite_sequence').where({ name: table }).first('seq'))) return
  await trx('sqlite_sequence').insert({ name: table, seq: id })
}

async function sequenceOf(db: Knex, table: string): Promise<string> {
  const { rows } = await db.raw(`SELECT pg_get_serial_sequence(?, 'id') AS sequence`, [table])
  return rows[0].sequence
}

const isPostgres = (db: Knex): boolean => db.client.dialect === 'postgresql'

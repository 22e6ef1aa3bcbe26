import type { Knex } from 'knex'
import { findAmong } from './bulk-insert.ts'

const ID_MAX = 2 ** 31 - 1

/**
 * The id that each new row gets: its id at the source if it is free here, else one above all others. Ids of a running gateway go on
 * above those that are given out.
 */
export async function chooseIds(trx: Knex, table: string, sourceIds: readonly number[]): Promise<Map<number, number>> {
  if (sourceIds.length === 0) return new Map()
  const isEmpty = (await trx(table).first('id')) === undefined
  const found = isEmpty
    ? []
    : await findAmong<{ id: number }>(trx, table, { column: 'id', values: sourceIds.filter(fits), select: ['id'] })
  const taken = new Set(found.map(({ id }) => id))
  const last = await highestId(trx, table)
  let next = sourceIds.reduce((highest, id) => (fits(id) ? Math.max(highest, id) : highest), last)
  return new Map(sourceIds.map((id) => [id, fits(id) && !taken.has(id) ? id : ++next]))
}

const fits = (id: number): boolean => id <= ID_MAX

/** The highest id that a table has given out. */
export async function highestId(db: Knex, table: string): Promise<number> {
  const largest = Number((await db(table).max({ id: 'id' }).first())?.id ?? 0)
  if (isPostgres(db)) {
    const { rows } = await db.raw(`SELECT pg_get_serial_sequence(?, 'id') AS sequence`, [table])
    const sequence = await db.raw(`SELECT last_value, is_called FROM ${rows[0].sequence}`)
    const [{ last_value, is_called }] = sequence.rows
    return Math.max(largest, is_called ? Number(last_value) : 0)
  }
  const counter = await db('sqlite_sequence').where({ name: table }).first('seq')
  return Math.max(largest, Number(counter?.seq ?? 0))
}

/** Lets ids that are given out from now on be above `id`, also those of other processes. */
export async function reserveIds(trx: Knex.Transaction, table: string, id: number): Promise<void> {
  if (isPostgres(trx)) {
    const { rows } = await trx.raw(`SELECT pg_get_serial_sequence(?, 'id') AS sequence`, [table])
    const { sequence } = rows[0]
    await trx.raw(`SELECT setval('${sequence}', GREATEST(?, (SELECT last_value FROM ${sequence})))`, [id])
    return
  }
  const raised = await trx('sqlite_sequence').where({ name: table }).where('seq', '<', id).update({ seq: id })
  if (raised > 0 || (await trx('sqlite_sequence').where({ name: table }).first('seq'))) return
  await trx('sqlite_sequence').insert({ name: table, seq: id })
}

const isPostgres = (db: Knex): boolean => db.client.dialect === 'postgresql'

import type { Knex } from 'knex'

/** Returns the number of rows that a query matches. */
export async function countRows(matching: Knex.QueryBuilder): Promise<number> {
  const row = await matching.clone().count({ total: '*' }).first()
  return Number(row?.total ?? 0)
}

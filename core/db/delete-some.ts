import type { Knex } from 'knex'

/** So many rows are deleted in a millisecond or two: relays wait for the transaction meanwhile. */
const ROWS_MAX = 200

/**
 * Deletes rows that match, but `rowsMax` at most: for what has expired, beside work that makes new rows one by one. Returns how many.
 * `key`: the columns of the primary key.
 */
export async function deleteSome(
  trx: Knex.Transaction,
  table: string,
  {
    key,
    matching,
    rowsMax = ROWS_MAX,
  }: { key: readonly string[]; matching: (rows: Knex.QueryBuilder) => void; rowsMax?: number },
): Promise<number> {
  // In one order, so that two processes do not wait for each other.
  const some = trx(table)
    .modify(matching)
    .orderBy([...key])
    .limit(rowsMax)
    .select(...key)
  const [first = '', ...others] = key
  return trx(table)
    .whereIn(others.length > 0 ? ([...key] as unknown as string) : first, some)
    .delete()
}

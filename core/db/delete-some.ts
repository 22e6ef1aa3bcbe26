import type { Knex } from 'knex'

/** Deletes this many rows in a millisecond or two, since relays wait for the transaction. */
const ROWS_MAX = 200

/**
 * Deletes at most `rowsMax` matching rows, for cleaning up expired rows next to work that inserts rows. Returns the number. `key`:
 * the columns of the primary key.
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
  // In a fixed order, so that two processes cannot deadlock.
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

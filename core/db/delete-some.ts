import type { Knex } from 'knex'

/** Default maximum number of rows. Relays wait for the transaction. 200 rows take one or two milliseconds. */
const ROWS_MAX = 200

/**
 * Deletes at most `rowsMax` matching rows. Transactions that insert rows call this to delete expired rows. Returns the
 * number of deleted rows. `key` lists the columns of the primary key.
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
  // Select in a fixed order, so that two processes cannot deadlock.
  const selectedKeys = trx(table)
    .modify(matching)
    .orderBy([...key])
    .limit(rowsMax)
    .select(...key)
  return trx(table).whereIn(key, selectedKeys).delete()
}

import type { Knex } from 'knex'
import type { Database } from './db/database.ts'
import { inShortBatches } from './db/short-batches.ts'

/** Deletes the rows that `expired` selects, in short transactions. `key` are the columns of the primary key. */
export function deleteExpired(
  db: Pick<Database, 'transaction'>,
  table: string,
  { key, expired }: { key: readonly string[]; expired: (rows: Knex.QueryBuilder) => void },
): Promise<number> {
  return inShortBatches((rowsMax) =>
    db.transaction((trx) => {
      const keys = trx(table)
        .modify(expired)
        .limit(rowsMax)
        .select(...key)
      return trx(table).whereIn(key, keys).delete()
    }),
  )
}

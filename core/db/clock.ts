import type { Knex } from 'knex'
import type { Database } from './database.ts'

/** Returns the database's time in Unix seconds. `on` runs the query. Inside a transaction, pass the transaction. */
export type Clock = (on: Knex) => Promise<number>

const NOW = {
  // PostgreSQL's now() would return the time when the transaction began.
  postgres: 'SELECT CAST(floor(extract(epoch FROM clock_timestamp())) AS bigint) AS now',
  sqlite: 'SELECT unixepoch() AS now',
}

/** Returns the clock of the database. It is the same for all processes, even if their own clocks differ. */
export function databaseClock({ kind }: Pick<Database, 'kind'>): Clock {
  return async (on) => {
    const result = await on.raw(NOW[kind])
    const [row] = kind === 'postgres' ? result.rows : result
    return Number(row.now)
  }
}

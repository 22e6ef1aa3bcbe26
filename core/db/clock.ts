import type { Knex } from 'knex'
import type { Database } from './database.ts'

/** Returns the database's time in Unix seconds. `on` runs the query. Inside a transaction, pass the transaction. */
export type Clock = (on: Knex) => Promise<number>

const NOW_MS = {
  // PostgreSQL's now() would return the time when the transaction began.
  postgres: 'SELECT extract(epoch FROM clock_timestamp()) * 1000 AS now',
  sqlite: "SELECT unixepoch('subsec') * 1000 AS now",
}

/** Returns the database's time in Unix milliseconds, with fractions. */
export async function databaseTimeMs(on: Knex, kind: Database['kind']): Promise<number> {
  const result = await on.raw(NOW_MS[kind])
  const [row] = kind === 'postgres' ? result.rows : result
  return Number(row.now)
}

/** Returns the clock of the database in Unix milliseconds. */
export function databaseClockMs({ kind }: Pick<Database, 'kind'>): Clock {
  return async (on) => Math.floor(await databaseTimeMs(on, kind))
}

/** Returns the clock of the database. It is the same for all processes, even if their own clocks differ. */
export function databaseClock({ kind }: Pick<Database, 'kind'>): Clock {
  return async (on) => Math.floor((await databaseTimeMs(on, kind)) / 1000)
}

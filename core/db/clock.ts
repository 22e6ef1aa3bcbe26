import type { Knex } from 'knex'
import type { Database } from './database.ts'

/** Answers unix seconds; inside a transaction it is asked through that one. */
export type Clock = (on: Knex) => Promise<number>

const NOW = {
  // Not now(), which is when the transaction began.
  postgres: 'SELECT CAST(floor(extract(epoch FROM clock_timestamp())) AS bigint) AS now',
  sqlite: 'SELECT unixepoch() AS now',
}

/** The time of the database: the same for all processes, however their own clocks differ. */
export function databaseClock({ kind }: Pick<Database, 'kind'>): Clock {
  return async (on) => {
    const answer = await on.raw(NOW[kind])
    const [row] = kind === 'postgres' ? answer.rows : answer
    return Number(row.now)
  }
}

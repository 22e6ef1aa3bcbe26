import knex from 'knex'
import { onTestFinished } from 'vitest'
import type { TestToolkit } from './toolkit.ts'

/**
 * Blocks all writes of a user's row, of a table, or of the rows that a statement changes, until `open` is called, so that a
 * test can act meanwhile. `waiting(n)` resolves once n transactions are blocked (PostgreSQL; on SQLite, with its one
 * writer, at once).
 */
export async function closeGate(
  { toolkit, config }: TestToolkit,
  what: { userId: number } | { table: string } | { statement: string },
) {
  let open: () => void = () => {}
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  let closed: () => void = () => {}
  const ready = new Promise<void>((resolve) => {
    closed = resolve
  })
  const { kind } = toolkit.db
  // On PostgreSQL use a separate connection: the Toolkit's pool stays free.
  const connection = kind === 'postgres' ? knex({ client: 'pg', connection: config.databaseUrl }) : undefined
  const held = (connection ? connection.transaction.bind(connection) : toolkit.db.transaction)(async (trx) => {
    if ('userId' in what) await trx('users').where({ id: what.userId }).forUpdate().first('id')
    else if ('statement' in what) await trx.raw(what.statement)
    else if (connection) await trx.raw('LOCK TABLE ?? IN EXCLUSIVE MODE', [what.table])
    closed()
    await opened
  })
  await ready
  const release = async () => {
    open()
    await held
    await connection?.destroy()
  }
  onTestFinished(release)
  return {
    open: release,
    async waiting(transactions: number): Promise<void> {
      if (kind === 'sqlite') return
      for (;;) {
        const { rows } = await toolkit.db.reader.raw(
          `SELECT count(*) AS waiting FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
        )
        if (rows[0].waiting >= transactions) return
        await new Promise((resolve) => setTimeout(resolve, 10))
      }
    },
  }
}

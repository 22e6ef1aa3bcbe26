import knex from 'knex'
import { onTestFinished } from 'vitest'
import type { TestToolkit } from './toolkit.ts'

/**
 * Keeps every write of a user's row, or of a table, waiting until `open` is called: a test decides what happens meanwhile.
 * `waiting(n)` resolves once n transactions stand before the gate (PostgreSQL; SQLite has one writer, and they queue).
 */
export async function closeGate({ toolkit, config }: TestToolkit, what: { userId: number } | { table: string }) {
  let open: () => void = () => {}
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  let closed: () => void = () => {}
  const ready = new Promise<void>((resolve) => {
    closed = resolve
  })
  const { kind } = toolkit.db
  // On PostgreSQL through a connection of its own: the pool of the Toolkit stays free.
  const own = kind === 'postgres' ? knex({ client: 'pg', connection: config.databaseUrl }) : undefined
  const held = (own ? own.transaction.bind(own) : toolkit.db.transaction)(async (trx) => {
    if ('userId' in what) await trx('users').where({ id: what.userId }).forUpdate().first('id')
    else if (own) await trx.raw('LOCK TABLE ?? IN EXCLUSIVE MODE', [what.table])
    closed()
    await opened
  })
  await ready
  const release = async () => {
    open()
    await held
    await own?.destroy()
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

import knex from 'knex'
import { onTestFinished } from 'vitest'
import type { TestToolkit } from './toolkit.ts'

/**
 * Keeps every write of a user's row waiting until `open` is called, so that a test decides what happens meanwhile.
 * `waiting(n)` resolves once n transactions stand before the gate (PostgreSQL; SQLite has one writer, and they queue).
 */
export async function closeGate({ toolkit, config }: TestToolkit, userId: number) {
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
    await trx('users').where({ id: userId }).forUpdate().first('id')
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

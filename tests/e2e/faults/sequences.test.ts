import { beforeEach, expect, test } from 'vitest'
import { findSequencesBehind } from '../../../core/db/sequences.ts'
import { CALL, openFaultWorld } from '../../support/fault-world.ts'
import { skipWithoutPostgres, type TestToolkit } from '../../support/toolkit.ts'

beforeEach(skipWithoutPostgres)

/** As after a failover to a replica that had not received the last values, or a restore of data alone. */
async function setBack({ toolkit }: Pick<TestToolkit, 'toolkit'>, tables: readonly string[]): Promise<void> {
  for (const table of tables) {
    await toolkit.db.transaction((trx) => trx.raw(`SELECT setval(pg_get_serial_sequence(?, 'id'), 1, false)`, [table]))
  }
  const behind = await findSequencesBehind(toolkit.db)
  expect(behind.map(({ table }) => table).sort()).toEqual([...tables].sort())
}

test('sequences behind their tables: a running gateway keeps charging, each reply once', async () => {
  const world = await openFaultWorld({ database: 'postgres', balance: 1000 * CALL.quota })
  const server = await world.server()
  await Promise.all(Array.from({ length: 5 }, () => world.ask(server)))
  await setBack(world, ['logs', 'ledger_entries', 'users', 'tokens'])

  const answers = await Promise.all(Array.from({ length: 20 }, () => world.ask(server)))

  expect(answers.map((answer) => answer?.status)).toEqual(Array(20).fill(200))
  expect(await world.toolkit.db.reader('logs').whereNotNull('request_id')).toHaveLength(25)
  await world.expectExactLedger()
}, 60_000)

test('sequences behind their tables are repaired when a gateway starts', async () => {
  const world = await openFaultWorld({ database: 'postgres', balance: 1000 * CALL.quota })
  const server = await world.server()
  await world.ask(server)
  server.signal('SIGTERM')
  await server.exited
  await setBack(world, ['logs', 'ledger_entries', 'users', 'tokens'])

  const next = await world.server()

  expect(await findSequencesBehind(world.toolkit.db)).toEqual([])
  expect((await world.ask(next))?.status).toBe(200)
  await world.expectExactLedger()
}, 60_000)

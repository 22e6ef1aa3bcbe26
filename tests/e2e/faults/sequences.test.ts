import { beforeEach, expect, test } from 'vitest'
import { findSequencesBehind } from '../../../core/db/sequences.ts'
import { CALL, openFaultFixture } from '../../support/fault-fixture.ts'
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
  const fixture = await openFaultFixture({ database: 'postgres', balance: 1000 * CALL.quota })
  const server = await fixture.server()
  await Promise.all(Array.from({ length: 5 }, () => fixture.ask(server)))
  await setBack(fixture, ['logs', 'ledger_entries', 'users', 'tokens'])

  const answers = await Promise.all(Array.from({ length: 20 }, () => fixture.ask(server)))

  expect(answers.map((answer) => answer?.status)).toEqual(Array(20).fill(200))
  expect(await fixture.toolkit.db.reader('logs').whereNotNull('request_id')).toHaveLength(25)
  await fixture.expectExactLedger()
}, 60_000)

test('sequences behind their tables are repaired when a gateway starts', async () => {
  const fixture = await openFaultFixture({ database: 'postgres', balance: 1000 * CALL.quota })
  const server = await fixture.server()
  await fixture.ask(server)
  server.signal('SIGTERM')
  await server.exited
  await setBack(fixture, ['logs', 'ledger_entries', 'users', 'tokens'])

  const next = await fixture.server()

  expect(await findSequencesBehind(fixture.toolkit.db)).toEqual([])
  expect((await fixture.ask(next))?.status).toBe(200)
  await fixture.expectExactLedger()
}, 60_000)

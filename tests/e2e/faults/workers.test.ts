import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { childrenOf } from '../../support/chaos/faults/processes.ts'
import { releaseAllDead } from '../../support/dead.ts'
import { CALL, openFaultFixture, until } from '../../support/fault-fixture.ts'

/** Each process that lives beats in this time. */
const BEAT_MS = 6_500

test('a hanging worker on SQLite is replaced, its reserves are released, and no reply is charged twice', async () => {
  const fixture = await openFaultFixture({ database: 'sqlite', balance: 10_000 * CALL.quota, replyMs: 100 })
  const server = await fixture.server({ WORKERS: '2' })
  await until(() => childrenOf(server.pid).length === 2)
  let isDone = false
  const clients = Array.from({ length: 6 }, async () => {
    while (!isDone) await fixture.ask(server)
  })
  await until(() => fixture.answers.length > 50)
  const [hung = 0] = childrenOf(server.pid)

  process.kill(hung, 'SIGSTOP')
  await until(() => !childrenOf(server.pid).includes(hung) && childrenOf(server.pid).length === 2, 30_000)
  await until(async () => (await fixture.ask(server))?.status === 200)
  const before = fixture.answers.length
  await until(() => fixture.answers.length > before + 50)
  isDone = true
  await Promise.all(clients)

  expect(server.errors()).toContain('a worker hangs')
  expect(fixture.answers.filter(({ status }) => status !== 200)).toEqual([])
  await releaseAllDead(fixture, () => sleep(BEAT_MS))
  await fixture.expectExactLedger()
}, 120_000)

import { copyFileSync, renameSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { CALL, openFaultFixture } from '../../support/fault-fixture.ts'

test('a gateway whose SQLite file is replaced stops writing within a second, and exits with an error', async () => {
  const fixture = await openFaultFixture({ database: 'sqlite', balance: 100_000 * CALL.quota })
  const server = await fixture.server()
  const file = fixture.config.databaseUrl.slice('sqlite:'.length)
  expect((await fixture.ask(server))?.complete).toBe(true)
  await fixture.toolkit.close()
  let isRunning = true
  void server.exited.then(() => {
    isRunning = false
  })
  let completed = 0
  const clients = Array.from({ length: 4 }, async () => {
    while (isRunning) {
      const answer = await fixture.ask(server)
      if (answer?.complete && answer.status === 200) completed++
    }
  })
  await sleep(300)

  copyFileSync(file, `${file}.copy`)
  renameSync(`${file}.copy`, file)
  const replacedAt = performance.now()
  const { code } = await server.exited
  const endedAfterMs = performance.now() - replacedAt
  await Promise.all(clients)

  expect(code).toBe(1)
  expect(server.errors()).toContain('replaced')
  // The gateway looks at the file every 400 ms. The rest is for a busy machine.
  expect(endedAfterMs).toBeLessThan(5000)
  expect(completed).toBeGreaterThan(4)
})

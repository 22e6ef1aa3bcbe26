import { setTimeout as sleep } from 'node:timers/promises'
import { beforeEach, expect, test } from 'vitest'
import { wrongClock } from '../../support/fake-time.ts'
import { CALL, type FaultServer, openFaultFixture, until } from '../../support/fault-fixture.ts'
import type { FaultyTcp } from '../../support/faulty-tcp.ts'
import { completion, type Exchange, sendJson, usage } from '../../support/hand-made-upstream.ts'
import { concurrently } from '../../support/lifetime.ts'
import { skipWithoutPostgres } from '../../support/toolkit.ts'

/** Longer than a process may be silent before its epoch is ended. */
const PAUSE_MS = 46_000

beforeEach(skipWithoutPostgres)

/** Requests that name `wait` are answered when `release` is called. */
function waitingUpstream() {
  const waiting: Exchange[] = []
  const reply = (exchange: Exchange) => sendJson(exchange, completion('ok', usage(9, 1)))
  return {
    waiting,
    answer: (exchange: Exchange) => (exchange.body.user === 'wait' ? void waiting.push(exchange) : reply(exchange)),
    release: () => waiting.splice(0).forEach(reply),
  }
}

/** 20 requests fit into the balance; the first process has ten of them open when it falls silent. */
async function silentProcess(fallSilent: (server: FaultServer) => void, comeBack: (server: FaultServer) => void) {
  const { answer, waiting, release } = waitingUpstream()
  const fixture = await openFaultFixture({ database: 'postgres', balance: 20 * CALL.quota, answer })
  const [silent, ahead, behind] = await Promise.all([
    fixture.server(),
    fixture.server(wrongClock('+60s')),
    fixture.server(wrongClock('-1h')),
  ])
  const open = Array.from({ length: 10 }, () => fixture.ask(silent, { user: 'wait' }))
  await until(() => waiting.length === 10)

  fallSilent(silent)
  const deadline = Date.now() + PAUSE_MS
  let served = 0
  for (let at = 0; Date.now() < deadline; at++) {
    const answered = await fixture.ask(at % 2 ? ahead : behind)
    if (answered?.status === 200) served++
    await sleep(500)
  }
  // Those who work share what is theirs, and get the rest when the silent one is declared dead.
  expect(served).toBe(20)
  release()
  comeBack(silent)
  await Promise.all(open)
  return { fixture, silent, others: [ahead, behind] }
}

test.concurrent(
  'a process that was stopped for 46 seconds completes no reply with quota that others have spent meanwhile',
  concurrently(async () => {
    const { fixture, silent } = await silentProcess(
      ({ signal }) => signal('SIGSTOP'),
      ({ signal }) => signal('SIGCONT'),
    )
    await fixture.expectExactLedger()
    expect(await fixture.balance(fixture.person)).toBe(0)
    // It works again, with a balance.
    await fixture.toolkit.accounts.setQuota(fixture.root, fixture.person.id, 10 * CALL.quota)
    await until(async () => (await fixture.ask(silent))?.status === 200)
  }),
  240_000,
)

test.concurrent(
  'a process without database for 46 seconds completes no reply with quota that others have spent meanwhile',
  concurrently(async () => {
    const { fixture } = await silentProcess(
      ({ proxy }) => {
        ;(proxy as FaultyTcp).mode = 'refuse'
      },
      ({ proxy }) => {
        ;(proxy as FaultyTcp).mode = 'pass'
      },
    )
    await fixture.expectExactLedger()
    expect(await fixture.balance(fixture.person)).toBe(0)
  }),
  240_000,
)

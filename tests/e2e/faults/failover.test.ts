import { setTimeout as sleep } from 'node:timers/promises'
import { beforeEach, expect, test } from 'vitest'
import type { Answer } from '../../support/chat.ts'
import { CALL, type FaultServer, openFaultFixture, until } from '../../support/fault-fixture.ts'
import { startPostgresPair } from '../../support/postgres-pair.ts'
import { skipWithoutPostgres } from '../../support/toolkit.ts'

beforeEach(skipWithoutPostgres)

const CLIENTS = 6

type Fixture = Awaited<ReturnType<typeof openFaultFixture>>

/** Clients that ask one gateway after the other, until they are stopped. */
function keepAsking({ ask }: Pick<Fixture, 'ask'>, servers: readonly FaultServer[]) {
  let isStopped = false
  const clients = Array.from({ length: CLIENTS }, async (_, at) => {
    for (let turn = at; !isStopped; turn++) {
      const answer = await ask(servers[turn % servers.length] as FaultServer, { stream: turn % 2 === 0 })
      if (answer?.status !== 200) await sleep(100)
    }
  })
  return async () => {
    isStopped = true
    await Promise.all(clients)
  }
}

const serves = ({ ask }: Pick<Fixture, 'ask'>, server: FaultServer) =>
  until(async () => (await ask(server))?.status === 200, 60_000)

const requestIds = (answers: readonly (Answer | undefined)[]) => answers.map((answer) => answer?.requestId ?? '')

test('a failover to a replica with every COMMIT loses and duplicates no charge', async () => {
  const pair = await startPostgresPair({ isSynchronous: true })
  const fixture = await openFaultFixture({ database: 'postgres', emptyUrl: pair.url, balance: 1e6 * CALL.quota })
  const servers = [await fixture.server(), await fixture.server()]
  const stop = keepAsking(fixture, servers)
  await until(() => fixture.answers.filter(({ status }) => status === 200).length > 100)

  await pair.failOver()

  for (const server of servers) await serves(fixture, server)
  const before = fixture.answers.length
  await until(() => fixture.answers.length > before + 100)
  await stop()
  await fixture.expectExactLedger()
  expect(await fixture.toolkit.ledger.verify()).toMatchObject({ equal: true, rows: [] })
}, 240_000)

test('a failover to a lagging replica leaves a balanced ledger: what it had received is charged, and all later requests', async () => {
  const pair = await startPostgresPair({ isSynchronous: false })
  const fixture = await openFaultFixture({
    database: 'postgres',
    emptyUrl: pair.url,
    balance: 1e6 * CALL.quota,
    replyMs: 2000,
  })
  const { reader } = fixture.toolkit.db
  const servers = [await fixture.server(), await fixture.server()]
  const askAll = (times: number) =>
    Promise.all(Array.from({ length: times }, (_, at) => fixture.ask(servers[at % 2] as FaultServer)))
  const received = requestIds(await askAll(40))
  // The replica knows of reserves that are spent and given back by the time of the failover.
  const running = askAll(10)
  await until(() => fixture.upstream.seen.length === 50 && pair.hasCaughtUp())
  pair.stream.mode = 'refuse'
  await running
  await until(async () => (await fixture.held()) === 0)
  const lost = requestIds([...(await running), ...(await askAll(60))])
  await pair.failOver()

  for (const server of servers) await serves(fixture, server)
  const following = requestIds(await askAll(80))
  await until(async () => (await fixture.held()) === 0, 60_000)
  const charged = new Set<string>(await reader('logs').whereNotNull('request_id').pluck('request_id'))
  expect(received.filter((id) => !charged.has(id))).toEqual([])
  expect(following.filter((id) => !charged.has(id))).toEqual([])
  expect(lost.filter((id) => charged.has(id))).toEqual([])
  expect(await fixture.balance(fixture.person)).toBe((1e6 - charged.size) * CALL.quota)
  expect(await fixture.toolkit.ledger.verify()).toMatchObject({ equal: true, differences: [], rows: [] })
}, 240_000)

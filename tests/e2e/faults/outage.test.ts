import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { beforeEach, expect, test } from 'vitest'
import { CALL, openFaultFixture, until } from '../../support/fault-fixture.ts'
import type { FaultyTcp } from '../../support/faulty-tcp.ts'
import { concurrently } from '../../support/lifetime.ts'
import { skipWithoutPostgres } from '../../support/toolkit.ts'

beforeEach(skipWithoutPostgres)

/** OUTAGE_SECONDS=300 makes the outages so long; by default they are short. */
const OUTAGE_MS = Number(process.env.OUTAGE_SECONDS ?? 0) * 1000

/** After this time without a heartbeat, a process gives out nothing that it had reserved. */
const TRUSTED_MS = 30_000

/** The folder in which a process keeps charges that its database did not take: PostgreSQL has no folder of its own. */
const journals = async (folder: string) => (await readdir(join(folder, 'data', 'journal')).catch(() => [])).length

test.concurrent.each(['refuse', 'black-hole'] as const)(
  'an unavailable database (%s): new relays get 503 in time, running ones complete, and all are charged once',
  concurrently(async (mode: 'refuse' | 'black-hole') => {
    const fixture = await openFaultFixture({ database: 'postgres', balance: 1000 * CALL.quota, replyMs: 1500 })
    const server = await fixture.server()
    const proxy = server.proxy as FaultyTcp
    await fixture.ask(server)
    const running = Array.from({ length: 5 }, () => fixture.ask(server))
    await until(() => fixture.upstream.seen.length === 6)

    proxy.mode = mode
    await sleep(600) // What was reserved and is idle is given back, or cannot be.
    const startedAt = Date.now()
    const rejected = await Promise.all(Array.from({ length: 5 }, () => fixture.ask(server)))
    const waitedMs = Date.now() - startedAt

    for (const answer of rejected) {
      // A relay that found quota in memory is served.
      if (answer?.status === 200) continue
      expect(answer).toMatchObject({ status: 503, json: { error: { code: 'database_unavailable' } } })
      expect(Number(answer?.headers.get('retry-after'))).toBeGreaterThan(0)
    }
    expect(waitedMs).toBeLessThan(15_000)
    expect((await Promise.all(running)).map((answer) => answer?.status)).toEqual(Array(5).fill(200))
    expect(await journals(fixture.config.dataFolder)).toBe(1)
    for (const since = Date.now(); Date.now() - since < OUTAGE_MS; await sleep(2000)) {
      const meanwhile = await fixture.ask(server)
      // What is reserved is given out as long as the process trusts its epoch.
      if (meanwhile?.status === 200 && Date.now() - since < TRUSTED_MS) continue
      expect(meanwhile).toMatchObject({ status: 503, json: { error: { code: 'database_unavailable' } } })
    }
    proxy.cutAll()
    proxy.mode = 'pass'

    await until(async () => (await journals(fixture.config.dataFolder)) === 0, 30_000)
    expect((await fixture.ask(server))?.status).toBe(200)
    await fixture.expectExactLedger()
  }),
  180_000 + OUTAGE_MS,
)

test.concurrent.each([
  ['SIGKILL', null],
  ['SIGTERM', 0],
] as const)(
  '%s during a database outage loses no charge of a complete reply',
  concurrently(async (signal: 'SIGKILL' | 'SIGTERM', code: number | null) => {
    const fixture = await openFaultFixture({ database: 'postgres', balance: 1000 * CALL.quota, replyMs: 500 })
    const server = await fixture.server()
    const running = Array.from({ length: 8 }, () => fixture.ask(server))
    await until(() => fixture.upstream.seen.length === 8)
    ;(server.proxy as FaultyTcp).mode = 'refuse'

    expect((await Promise.all(running)).map((answer) => answer?.complete)).toEqual(Array(8).fill(true))
    server.signal(signal)
    expect((await server.exited).code).toBe(code)
    expect(await fixture.balance(fixture.person)).toBe(1000 * CALL.quota)

    const next = await fixture.server()
    await until(async () => (await fixture.balance(fixture.person)) === 992 * CALL.quota)
    expect((await fixture.ask(next))?.status).toBe(200)
    await fixture.expectExactLedger()
  }),
  180_000,
)

test.concurrent(
  'a process whose new connections got no replies still ends after SIGTERM',
  concurrently(async () => {
    const fixture = await openFaultFixture({ database: 'postgres', balance: 1000 * CALL.quota })
    const server = await fixture.server()
    const proxy = server.proxy as FaultyTcp
    expect((await fixture.ask(server))?.status).toBe(200)
    proxy.mode = 'silent-queries'
    proxy.cutAll()
    // As long as a query may take: then the process opens other connections.
    await sleep(15_000)
    proxy.mode = 'pass'
    await until(async () => (await fixture.ask(server))?.status === 200, 30_000)

    const since = Date.now()
    server.signal('SIGTERM')
    expect((await server.exited).code).toBe(0)
    expect(Date.now() - since).toBeLessThan(30_000)
    await fixture.expectExactLedger()
  }),
  180_000,
)

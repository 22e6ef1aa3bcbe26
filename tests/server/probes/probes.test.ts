import { describe, expect, test } from 'vitest'
import { createClockSkew } from '../../../core/db/clock-skew.ts'
import { readinessChecks } from '../../../server/probes/checks.ts'
import { createReadiness } from '../../../server/probes/readiness.ts'
import { openTestGateway, serve } from '../../support/gateway.ts'
import { startTcpProxy } from '../../support/tcp-proxy.ts'
import { onBoth, openTestToolkit, skipWithoutPostgres, type TestToolkit } from '../../support/toolkit.ts'

const CHECKS = ['stopping', 'ledger', 'migrations', 'sequences', 'disk', 'clock']

interface Report {
  status: string
  checks: { name: string; status: string; message?: string }[]
}

async function probe(url: string) {
  const response = await fetch(url)
  const { status, checks } = (await response.json()) as Report
  const failed = checks.filter((check) => check.status === 'failed')
  return { code: response.status, headers: response.headers, status, checks, failed }
}

/** The failed checks of a Toolkit, without a gateway. */
async function failedOf(
  { toolkit, config }: TestToolkit,
  changed: Partial<Parameters<typeof readinessChecks>[0]['toolkit']> = {},
) {
  const checks = readinessChecks({ toolkit: { ...toolkit, ...changed }, config })
  return (await createReadiness(checks)()).filter(({ status }) => status === 'failed')
}

describe('the probes of load balancers', () => {
  test('report to every caller that a gateway works, and are never cached or limited', async () => {
    const { url } = await openTestGateway({
      settings: { GLOBAL_API_RATE_LIMIT: '1', GLOBAL_API_RATE_LIMIT_ENABLE: 'true', GLOBAL_WEB_RATE_LIMIT: '1' },
    })
    for (let turn = 0; turn < 5; turn++) {
      const [health, ready] = await Promise.all([probe(`${url}/healthz`), probe(`${url}/readyz`)])
      expect(health).toMatchObject({ code: 200, status: 'ok' })
      expect(ready).toMatchObject({ code: 200, status: 'ok', failed: [] })
      expect(ready.checks.map(({ name }) => name)).toEqual(CHECKS)
      for (const { headers } of [health, ready]) expect(headers.get('cache-control')).toBe('no-store')
    }
  })

  test('report a stop before the port closes; liveness stays', async () => {
    const { gateway, url } = await openTestGateway({ config: { stopGraceMs: 2000 } })
    expect((await probe(`${url}/readyz`)).code).toBe(200)
    const closed = gateway.close()
    const stopping = await probe(`${url}/readyz`)
    expect(stopping).toMatchObject({ code: 503, status: 'failed', failed: [{ name: 'stopping' }] })
    expect(stopping.headers.get('retry-after')).toBe('5')
    expect(stopping.headers.get('connection')).toBe('close')
    const { code, checks } = await probe(`${url}/healthz`)
    expect({ code, checks }).toEqual({ code: 200, checks: [{ name: 'event-loop', status: 'ok' }] })
    await closed
  })

  test('report within seconds that charges cannot be written, and the recovery', async (context) => {
    await skipWithoutPostgres(context)
    const fixture = await openTestToolkit({ database: 'postgres' })
    const proxy = await startTcpProxy(fixture.config.databaseUrl)
    const { url } = await serve({ ...fixture, toolkit: await fixture.another({}, { databaseUrl: proxy.url }) })
    expect((await probe(`${url}/readyz`)).code).toBe(200)

    await proxy.refuse()
    await expect.poll(() => probe(`${url}/readyz`)).toMatchObject({ code: 503, failed: [{ name: 'ledger' }] })
    // The process itself works: to restart it would help nothing.
    expect(await probe(`${url}/healthz`)).toMatchObject({ code: 200, status: 'ok' })

    await proxy.restore()
    await expect.poll(() => probe(`${url}/readyz`)).toMatchObject({ code: 200, failed: [] })
  })

  test('report that the disk is full', async () => {
    // It has no room at all.
    const { url } = await openTestGateway({ config: { dataFolder: '/proc' } })
    const { code, failed } = await probe(`${url}/readyz`)
    expect({ code, failed }).toMatchObject({ code: 503, failed: [{ name: 'disk' }] })
    expect(failed[0]?.message).toMatch(/has 0 MB left/)
  })
})

test('require sequences ahead of their tables', async (context) => {
  await skipWithoutPostgres(context)
  const fixture = await openTestToolkit({ database: 'postgres' })
  await fixture.channel()
  await fixture.toolkit.db.reader.raw("SELECT setval('channels_id_seq', 1, false)")
  expect(await failedOf(fixture)).toMatchObject([{ name: 'sequences', message: expect.stringContaining('(channels)') }])
})

onBoth('readiness', (open) => {
  test('require all migrations', async () => {
    const fixture = await open()
    expect(await failedOf(fixture)).toEqual([])
    await fixture.toolkit.db.transaction((trx) => trx('migrations').where({ name: '0005-balance-requests' }).delete())
    expect(await failedOf(fixture)).toEqual([
      { name: 'migrations', status: 'failed', message: expect.stringContaining('0005-balance-requests') },
    ])
  })

  test('require a clock near the database’s', async () => {
    const fixture = await open()
    const { db } = fixture.toolkit
    const slow = createClockSkew(db, () => Date.now() - 60_000)
    expect(slow.clockSkewMs).toBeUndefined()
    expect(Math.abs((await slow.measure()) - 60_000)).toBeLessThan(5000)
    expect(await failedOf(fixture, { clockSkew: slow })).toMatchObject([
      { name: 'clock', message: expect.stringMatching(/differ by (59|6\d) s/) },
    ])
    expect(await failedOf(fixture, { clockSkew: createClockSkew(db, () => Date.now() + 60_000) })).toHaveLength(1)
  })
})

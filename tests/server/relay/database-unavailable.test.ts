import { expect, test } from 'vitest'
import type { LocalToolkit } from '../../../core/toolkit.ts'
import { ask, post } from '../../support/chat.ts'
import { customer, MODEL, serve, setPrices, type TestGateway } from '../../support/gateway.ts'
import { completion, sendJson, startUpstream, usage } from '../../support/hand-made-upstream.ts'
import { startTcpProxy } from '../../support/tcp-proxy.ts'
import { openTestToolkit, PASSWORD, skipWithoutPostgres, type TestToolkit } from '../../support/toolkit.ts'

const MESSAGES = [{ role: 'user', content: 'hello' }]
const GENERATE = { contents: [{ role: 'user', parts: [{ text: 'hello' }] }] }
/** A request of each API, and what names the error in its reply. */
const CALLS: readonly { path: string; body: unknown; error: unknown }[] = [
  { path: '/v1/chat/completions', body: ask(MODEL), error: { error: { code: 'database_unavailable' } } },
  {
    path: '/v1/completions',
    body: { model: MODEL, prompt: 'hello' },
    error: { error: { code: 'database_unavailable' } },
  },
  { path: '/v1/responses', body: { model: MODEL, input: 'hello' }, error: { error: { code: 'database_unavailable' } } },
  {
    path: '/v1/messages',
    body: { model: MODEL, max_tokens: 5, messages: MESSAGES },
    error: { error: { type: 'overloaded_error', message: expect.stringContaining('database is unavailable') } },
  },
  {
    path: `/v1beta/models/${MODEL}:generateContent`,
    body: GENERATE,
    error: { error: { status: 'UNAVAILABLE', message: expect.stringContaining('database is unavailable') } },
  },
  { path: '/suno/submit/music', body: { prompt: 'hello' }, error: { code: 'database_unavailable' } },
  {
    path: '/mj/submit/imagine',
    body: { prompt: 'hello' },
    error: { description: expect.stringMatching(/^database_unavailable /) },
  },
]
const UNAVAILABLE = CALLS.map(({ path, error }) => ({ path, status: 503, retryAfter: '5', json: error }))

interface Fixture extends TestGateway {
  key: string
}

/** A gateway over `toolkit`, with a customer whose key it knows and whose balance it has not reserved from yet. */
async function openWith(fixture: TestToolkit, toolkit: LocalToolkit): Promise<Fixture> {
  const upstream = await startUpstream((exchange) => sendJson(exchange, completion('hi', usage(9, 1))))
  await setPrices(fixture)
  await fixture.channel({ base_url: upstream.url, models: MODEL })
  await fixture.channel({ base_url: upstream.url, type: 5, models: 'mj_imagine' })
  await fixture.channel({ base_url: upstream.url, type: 36, models: 'suno_music' })
  const { key } = await customer(fixture)
  const gateway = await serve({ ...fixture, toolkit })
  await fetch(`${gateway.url}/v1/models`, { headers: { authorization: `Bearer ${key}` } })
  return { ...fixture, toolkit, gateway, url: gateway.url, key }
}

/** Sends one request to each API at the same time. */
async function callAll({ url, key }: Fixture) {
  return Promise.all(
    CALLS.map(async ({ path, body }) => {
      const response = await fetch(url + path, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
        body: JSON.stringify(body),
      })
      const json: unknown = await response.json()
      return { path, status: response.status, retryAfter: response.headers.get('retry-after'), json }
    }),
  )
}

async function expectUnavailable(fixture: Fixture, withinMs: number): Promise<void> {
  const since = performance.now()
  expect(await callAll(fixture)).toMatchObject(UNAVAILABLE)
  expect(performance.now() - since).toBeLessThan(withinMs)
}

async function expectServed({ url, key }: Fixture): Promise<void> {
  await expect.poll(async () => (await post({ url, key, body: ask(MODEL) })).status).toBe(200)
}

/** All reserves were given back, those for requests that had been refused by then included. */
async function expectNothingHeld({ toolkit }: TestToolkit): Promise<void> {
  await expect.poll(() => toolkit.db.reader('users').sum({ held: 'held_quota' })).toEqual([{ held: 0 }])
}

/** A guard against relays that hang, not a claim: the limit is five seconds. */
const ANSWER_MS = 15_000

test('while SQLite is locked by another process, each API returns 503 and Retry-After, and recovers afterward', async () => {
  const fixture = await openTestToolkit()
  const gateway = await openWith(fixture, fixture.toolkit)
  let unlock = () => {}
  const locked = new Promise<void>((resolve) => {
    unlock = resolve
  })
  const other = await fixture.another()
  let locking = Promise.resolve()
  await new Promise<void>((resolve) => {
    locking = other.db.transaction(() => {
      resolve()
      return locked
    })
  })

  await expectUnavailable(gateway, ANSWER_MS)

  unlock()
  await locking
  await expectServed(gateway)
  await expectNothingHeld(fixture)
})

test('while PostgreSQL is silent or down, each API returns 503 and Retry-After, and recovers afterward', async (context) => {
  await skipWithoutPostgres(context)
  const fixture = await openTestToolkit({ database: 'postgres' })
  const proxy = await startTcpProxy(fixture.config.databaseUrl)
  const gateway = await openWith(fixture, await fixture.another({}, { databaseUrl: proxy.url }))

  proxy.silence()
  await expectUnavailable(gateway, ANSWER_MS)
  await proxy.restore()
  await expectServed(gateway)
  await expectNothingHeld(fixture)
  await proxy.refuse()
  await expectUnavailable(gateway, ANSWER_MS)
  // Reads of the management API too.
  const login = await post({
    url: gateway.url,
    path: '/api/user/login',
    body: { username: 'root', password: PASSWORD },
  })
  expect(login).toMatchObject({ status: 503, json: { success: false } })
  expect(login.headers.get('retry-after')).toBe('5')
  expect(decodeURIComponent(login.headers.get('tollgate-error') ?? '')).toContain('DATABASE_UNAVAILABLE')

  await proxy.restore()
  await expectServed(gateway)
})

import { describe, expect, test } from 'vitest'
import type { LogFilter } from '../../../core/logs/filter.ts'
import { openApi } from '../../support/api.ts'
import { ask, post } from '../../support/chat.ts'
import { CHANNEL_KEY, customer, MODEL, openTestGateway, setPrices } from '../../support/gateway.ts'
import {
  chunk,
  completion,
  type Exchange,
  say,
  sendJson,
  startUpstream,
  usage,
} from '../../support/hand-made-upstream.ts'

async function open() {
  const fixture = await openTestGateway()
  await setPrices(fixture)
  const { key, person } = await customer(fixture, { user: { quota: 1_000_000 } })
  const rows = async (filter: LogFilter = {}, actor = fixture.root) =>
    (await fixture.toolkit.logs.list(actor, { type: 5, pageSize: 1000, ...filter })).items
  const upstream = async (answer: (exchange: Exchange) => unknown, channel = {}) => {
    const { url } = await startUpstream(answer)
    return fixture.channel({ base_url: url, models: MODEL, key: CHANNEL_KEY, ...channel })
  }
  return { ...fixture, key, person, rows, upstream, url: fixture.url }
}

const breaks = (status: number, message: string) => (exchange: Exchange) => {
  exchange.response.setHeader('x-request-id', 'up-1')
  sendJson(exchange, { error: { message } }, status)
}

describe('a failed relay', () => {
  test('has a row with every attempt, whose channels its user does not see', async () => {
    const { key, url, rows, upstream, toolkit, root, person } = await open()
    await toolkit.options.set(root, 'RetryTimes', '1')
    const first = await upstream(breaks(500, 'first is out'), { priority: 2 })
    const second = await upstream(breaks(503, 'second is out'), { priority: 1 })

    const reply = await post({ url, key, body: ask(MODEL) })

    expect(reply.status).toBe(503)
    const requestId = reply.headers.get('x-request-id') ?? ''
    await expect.poll(rows).toHaveLength(1)
    const [row] = await rows({ request_id: requestId })
    expect(row).toMatchObject({ type: 5, quota: 0, model_name: MODEL, channel: second.id, request_id: requestId })
    expect(row?.content).toContain('second is out')
    expect(JSON.parse(row?.other ?? '')).toMatchObject({
      status: 503,
      admin_info: {
        upstream_request_id: 'up-1',
        tries: [
          { channel: first.id, status: 500, message: 'first is out', ms: expect.any(Number) },
          { channel: second.id, status: 503, message: 'second is out', ms: expect.any(Number) },
        ],
      },
    })
    const [own] = await rows({ request_id: requestId }, person)
    expect(JSON.parse(own?.other ?? '')).toEqual({ request_id: requestId, status: 503, code: expect.anything() })
    expect((await toolkit.ledger.verify()).equal).toBe(true)
  })

  test('of another user is not found', async () => {
    const { key, url, rows, upstream, user } = await open()
    await upstream(breaks(400, 'no'))
    const reply = await post({ url, key, body: ask(MODEL) })
    await expect.poll(rows).toHaveLength(1)
    const other = await user()
    expect(await rows({ request_id: reply.headers.get('x-request-id') ?? '' }, other)).toEqual([])
  })

  test('keeps its charge if a stream breaks', async () => {
    const { key, url, rows, upstream, toolkit, root } = await open()
    await upstream((exchange) => {
      const { response } = exchange
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.write(`data: ${JSON.stringify(chunk({ role: 'assistant', content: 'one two three' }))}\n\n`)
      response.write(`data: ${JSON.stringify(say(' four'))}\n\n`)
      setTimeout(() => response.destroy(), 50)
    })
    const reply = await post({ url, key, body: { ...ask(MODEL), stream: true } })
    const requestId = reply.headers.get('x-request-id') ?? ''
    await expect.poll(rows).toHaveLength(1)
    const both = (await toolkit.logs.list(root, { request_id: requestId })).items
    expect(both.map(({ type }) => type).sort()).toEqual([2, 5])
    expect(JSON.parse(both.find(({ type }) => type === 5)?.other ?? '')).toMatchObject({ code: 'upstream_broke' })
    expect((await toolkit.ledger.verify()).equal).toBe(true)
  })

  test.each([
    ['a body that is no JSON', (key: string) => ({ key, raw: '{' }), 'requestmalformed'],
    ['a model without a channel', (key: string) => ({ key, body: ask('no-such-model') }), 'model_not_found'],
  ])('is recorded for %s', async (_, request, code) => {
    const { key, url, rows, upstream } = await open()
    await upstream((exchange) => sendJson(exchange, completion('x', usage(1, 1))))
    const { raw, body } = request(key) as { raw?: string; body?: object }
    await fetch(`${url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: raw ?? JSON.stringify(body),
    })
    await expect.poll(rows).toHaveLength(1)
    const { code: found } = JSON.parse((await rows())[0]?.other ?? '')
    expect(found.replaceAll('_', '')).toBe(code.replaceAll('_', ''))
  })

  test('is recorded for a disabled key, but not for an unknown one', async () => {
    const { key, url, rows, toolkit, person } = await open()
    const [token] = (await toolkit.tokens.list(person)).items
    await toolkit.tokens.setStatus(person, token?.id ?? 0, 2)
    expect((await post({ url, key, body: ask(MODEL) })).status).toBe(401)
    expect((await post({ url, key: 'sk-unknown', body: ask(MODEL) })).status).toBe(401)
    await expect.poll(rows).toHaveLength(1)
    expect((await rows())[0]).toMatchObject({ user_id: person.id, token_name: token?.name })
  })

  test('is sampled in a flood, and counted exactly', async () => {
    const { key, url, rows, upstream, toolkit, root, person } = await open()
    const { id } = await upstream(breaks(400, 'no'))
    const times = 60
    await toolkit.accounts.setQuota(root, person.id, 10_000_000) // for the holds of all requests at once
    await Promise.all(Array.from({ length: times }, () => post({ url, key, body: ask(MODEL) })))
    const failures = async () => (await rows()).reduce((sum, { other }) => sum + (JSON.parse(other).suppressed ?? 1), 0)
    await expect.poll(failures).toBe(times)
    expect((await rows()).length).toBeLessThan(times / 2)
    const { data } = await toolkit.logs.dashboard(root, { scope: 'all', lastHours: 24, by: 'model', metric: 'quota' })
    expect(data?.channels).toMatchObject([{ name: String(id), failed: times }])
  })

  test('is not recorded while ErrorLogEnabled is off, and deleted after its retention time', async () => {
    const { key, url, rows, upstream, toolkit, root } = await open()
    await upstream(breaks(400, 'no'))
    await toolkit.options.set(root, 'ErrorLogEnabled', 'false')
    await post({ url, key, body: ask(MODEL) })
    await toolkit.options.set(root, 'ErrorLogEnabled', 'true')
    await post({ url, key, body: ask(MODEL) })
    await expect.poll(rows).toHaveLength(1)
    const soon = Math.floor(Date.now() / 1000) + 5
    expect(await toolkit.logs.removeFailures(soon - 3600)).toBe(0)
    expect(await toolkit.logs.removeFailures(soon)).toBe(1)
    expect(await rows()).toEqual([])
    expect((await toolkit.ledger.verify()).equal).toBe(true)
  })

  test('is listed by the management API as type 5', async () => {
    const fixture = await open()
    await fixture.upstream(breaks(400, 'no'))
    await post({ url: fixture.url, key: fixture.key, body: ask(MODEL) })
    await expect.poll(fixture.rows).toHaveLength(1)
    const client = await openApi(fixture).as(fixture.person)
    const { body } = await client.get('/api/log/self?type=5&p=1&page_size=10')
    expect(body.data.items).toMatchObject([{ type: 5 }])
  })
})

import { describe, expect, onTestFinished, test } from 'vitest'
import { parseSettings } from '../../../core/channels/settings/settings.ts'
import { createDispatchers } from '../../../server/relay/transport/dispatchers.ts'
import { sendJson, startUpstream } from '../../support/hand-made-upstream.ts'
import { startHttpProxy, startSocksProxy } from '../../support/proxies.ts'

const channelWith = (proxy?: string) => ({ id: 7, settings: parseSettings(JSON.stringify({ proxy })) })
const direct = channelWith()

function dispatchers(options: { roundMs?: number; dispatchersMax?: number } = {}) {
  const made = createDispatchers({ idleTimeoutMs: 5000, ...options })
  onTestFinished(() => made.close())
  return made
}

test('requests to one origin share their connections', async () => {
  const { dispatcher } = dispatchers()
  expect(dispatcher('http://127.0.0.1:1', direct)).toBe(dispatcher('http://127.0.0.1:1', direct))
  expect(dispatcher('http://127.0.0.1:1', direct)).not.toBe(dispatcher('http://127.0.0.1:2', direct))
  expect(dispatcher('http://127.0.0.1:1', direct)).not.toBe(
    dispatcher('http://127.0.0.1:1', channelWith('http://127.0.0.1:3')),
  )
})

describe('through a proxy', () => {
  test.each([
    ['of HTTP', startHttpProxy, 'upstream.example:80'],
    ['of SOCKS', startSocksProxy, 'upstream.example:80'],
  ])('%s the upstream is called, and its name is resolved by the proxy', async (_, start, target) => {
    const upstream = await startUpstream((exchange) => sendJson(exchange, { ok: true }))
    const proxy = await start({ route: () => ({ host: '127.0.0.1', port: Number(new URL(upstream.url).port) }) })
    const { dispatcher } = dispatchers()

    const { statusCode, body } = await dispatcher('http://upstream.example', channelWith(proxy.url)).request({
      path: '/v1/models',
      method: 'GET',
    })

    expect(statusCode).toBe(200)
    expect(await body.json()).toEqual({ ok: true })
    expect(proxy.requests).toEqual([target])
    expect(upstream.seen[0]?.headers.host).toBe('upstream.example')
  })

  test.each([
    ['of HTTP', () => startHttpProxy()],
    ['of SOCKS', () => startSocksProxy({ credential: 'ann:s@cret' })],
  ])('%s user and password are sent, percent-encoded or not', async (_, start) => {
    const upstream = await startUpstream((exchange) => sendJson(exchange, { ok: true }))
    const proxy = await start()
    const { dispatcher } = dispatchers()

    const named = proxy.url.replace('://', '://ann:s%40cret@')
    const { body } = await dispatcher(upstream.url, channelWith(named)).request({ path: '/', method: 'GET' })

    await body.dump()
    expect(proxy.credentials).toEqual(['ann:s@cret'])
  })

  test('of HTTP without errors the upstream is reached, and a failure does not contain the credential', async () => {
    const upstream = await startUpstream((exchange) => sendJson(exchange, {}))
    const proxy = await startHttpProxy({ status: 407 })
    const { dispatcher } = dispatchers()

    const named = proxy.url.replace('://', '://ann:secret@')
    const failure = await dispatcher(upstream.url, channelWith(named))
      .request({ path: '/', method: 'GET' })
      .catch((error: Error) => error)

    expect(failure).toMatchObject({ message: 'The proxy answered CONNECT with status 407' })
    expect(upstream.seen).toEqual([])
  })

  test('of SOCKS without errors the upstream is reached', async () => {
    const upstream = await startUpstream((exchange) => sendJson(exchange, {}))
    const proxy = await startSocksProxy({ credential: 'ann:secret' })
    const { dispatcher } = dispatchers()

    const named = proxy.url.replace('://', '://ann:wrong@')
    await expect(dispatcher(upstream.url, channelWith(named)).request({ path: '/', method: 'GET' })).rejects.toThrow()
    expect(upstream.seen).toEqual([])
  })

  test.each(['ftp://proxy.example', 'socks4://proxy.example', 'proxy.example:8080', 'http://', 'javascript:alert(1)'])(
    '%s, which is invalid, the channel is not created, and no request is sent',
    (proxy) => {
      const { dispatcher, agent } = dispatchers()
      const misconfigured = expect.objectContaining({ code: 'CHANNEL_MISCONFIGURED' })
      expect(() => dispatcher('http://127.0.0.1:1', channelWith(proxy))).toThrow(misconfigured)
      expect(() => agent(channelWith(proxy))).toThrow(misconfigured)
    },
  )

  test('a proxy error does not contain its password', () => {
    const { dispatcher } = dispatchers()
    const refusal = (() => {
      try {
        return dispatcher('http://127.0.0.1:1', channelWith('ftp://ann:hidden@proxy.example'))
      } catch (error) {
        return error
      }
    })()
    expect(JSON.stringify(refusal)).not.toContain('hidden')
  })
})

test('idle connections are closed, those in use stay', async () => {
  const { dispatcher } = dispatchers({ roundMs: 40 })
  const idle = dispatcher('http://127.0.0.1:1', direct)
  const used = dispatcher('http://127.0.0.1:2', direct)

  await expect
    .poll(
      () => {
        expect(dispatcher('http://127.0.0.1:2', direct)).toBe(used)
        return 'closed' in idle && idle.closed
      },
      { interval: 10 },
    )
    .toBe(true)
  expect(dispatcher('http://127.0.0.1:1', direct)).not.toBe(idle)
})

test('a running request on closed connections ends by itself', async () => {
  const upstream = await startUpstream((exchange) => setTimeout(() => sendJson(exchange, { late: true }), 100))
  const { dispatcher } = dispatchers({ dispatchersMax: 1 })
  const running = dispatcher(upstream.url, direct).request({ path: '/', method: 'GET' })

  dispatcher('http://127.0.0.1:1', direct)

  expect(await (await running).body.json()).toEqual({ late: true })
})

test('their number is limited', () => {
  const { dispatcher } = dispatchers({ dispatchersMax: 2 })
  const first = dispatcher('http://127.0.0.1:1', direct)
  const second = dispatcher('http://127.0.0.1:2', direct)
  dispatcher('http://127.0.0.1:3', direct)

  expect(dispatcher('http://127.0.0.1:2', direct)).toBe(second)
  expect(dispatcher('http://127.0.0.1:1', direct)).not.toBe(first)
})

import { afterEach, describe, expect, test, vi } from 'vitest'
import { call, callForRedirect, callWhole, openStream } from '../../../console/api/client.ts'

afterEach(() => {
  vi.unstubAllGlobals()
})

/** A server that answers every call so; answers what it was asked. */
function answering(body: unknown, status = 200) {
  const ask = vi.fn(async (_path: string, _request: RequestInit) =>
    typeof body === 'string' ? new Response(body, { status }) : Response.json(body, { status }),
  )
  vi.stubGlobal('fetch', ask)
  return ask
}

describe('a call', () => {
  test('places its parameters, and omits undefined ones', async () => {
    const ask = answering({ success: true, message: '', data: [] })

    await call('POST /api/channel/:id/copy', { path: { id: 7 }, body: { name: undefined } })
    await call('GET /api/token/page', { query: { p: 2, keyword: 'a&b', user_id: undefined } })
    await call('POST /api/redemption/', { body: { quota: 1 }, header: { 'idempotency-key': 'mine' } })

    expect(ask.mock.calls.map(([path, { method, body }]) => [method, path, body])).toEqual([
      ['POST', '/api/channel/7/copy', '{}'],
      ['GET', '/api/token/page?p=2&keyword=a%26b', null],
      ['POST', '/api/redemption/', '{"quota":1}'],
    ])
    expect(new Headers(ask.mock.calls[2]?.[1].headers).get('idempotency-key')).toBe('mine')
  })

  test('returns the data, or the whole envelope', async () => {
    answering({ success: true, message: '', data: 'text', balance: 3 })

    expect(await call('GET /api/notice')).toBe('text')
    expect(await callWhole('GET /api/channel/update_balance/:id', { path: { id: 1 } })).toMatchObject({ balance: 3 })
  })

  test("shows the server's error message", async () => {
    answering({ success: false, message: 'No permission' })

    await expect(call('GET /api/notice')).rejects.toMatchObject({ kind: 'refused', message: 'No permission' })
  })

  test('reads the payment reply format, and its errors', async () => {
    answering({ message: 'success', data: '7.30' })
    expect(await call('POST /api/user/amount', { body: { amount: 1 } })).toBe('7.30')

    answering({ message: 'error', data: 'Too little' })
    const order = callWhole('POST /api/user/pay', { body: { amount: 0, payment_method: 'zfb' } })
    await expect(order).rejects.toMatchObject({ kind: 'refused', message: 'Too little' })
  })

  test.each([
    [405, 'no-server'],
    [429, 'too-many'],
    [500, 'server'],
    [502, 'status'],
    [200, 'unreadable'],
  ])('with status %i and no envelope fails as %s', async (status, kind) => {
    answering('<html>', status)

    await expect(call('GET /api/notice')).rejects.toMatchObject({ kind })
  })

  test('times out', async () => {
    vi.stubGlobal('fetch', (_path: string, { signal }: { signal: AbortSignal }) => {
      return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
    })

    await expect(call('GET /api/notice', { timeoutMs: 10 })).rejects.toMatchObject({ kind: 'slow' })
  })
})

describe('a reply', () => {
  /** A server that has begun to answer, and goes no further. */
  function stalling(end: (body: ReadableStreamDefaultController, signal: AbortSignal) => void) {
    vi.stubGlobal('fetch', async (_path: string, { signal }: { signal: AbortSignal }) => {
      return new Response(new ReadableStream({ start: (body) => end(body, signal) }))
    })
  }

  test('that breaks off is a connection error, not an unreadable reply', async () => {
    stalling((body) => body.error(new TypeError('network error')))

    await expect(call('GET /api/notice')).rejects.toMatchObject({ kind: 'unreachable' })
  })

  test('that stops halfway is a timeout', async () => {
    stalling((body, signal) => signal.addEventListener('abort', () => body.error(signal.reason)))

    await expect(call('GET /api/notice', { timeoutMs: 10 })).rejects.toMatchObject({ kind: 'slow' })
  })

  test('that was canceled is not a failure', async () => {
    const asker = new AbortController()
    stalling((body, signal) => signal.addEventListener('abort', () => body.error(signal.reason)))

    const reply = call('GET /api/notice', { signal: asker.signal })
    asker.abort()

    await expect(reply).rejects.toMatchObject({ name: 'AbortError' })
  })

  test('after a redirect counts as success only if a redirect is expected', async () => {
    const page = () => Object.defineProperty(new Response('<!doctype html>'), 'redirected', { value: true })
    vi.stubGlobal('fetch', async () => page())

    await expect(callForRedirect('GET /api/oauth/telegram/bind')).resolves.toBeUndefined()
    await expect(call('GET /api/user/self')).rejects.toMatchObject({ kind: 'unreadable' })
  })
})

describe('a stream', () => {
  test('is passed on as it arrives', async () => {
    answering('data: {}\n\n')

    const response = await openStream('POST /pg/chat/completions', { body: { model: 'm', messages: [] } })

    expect(await response.text()).toBe('data: {}\n\n')
  })

  test("fails with the relay's message", async () => {
    answering({ error: { message: 'No such model' } }, 503)

    const reply = openStream('POST /pg/chat/completions', { body: { model: 'm' } })

    await expect(reply).rejects.toMatchObject({ kind: 'status', message: 'No such model' })
  })
})

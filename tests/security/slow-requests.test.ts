import { once } from 'node:events'
import { connect } from 'node:net'
import { PassThrough } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test, vi } from 'vitest'
import { BodyBudget } from '../../server/bodies/budget.ts'
import { rejectConnection } from '../../server/bodies/connection.ts'
import { openPaceWatch } from '../../server/bodies/pace.ts'
import { receiveBody } from '../../server/bodies/receive.ts'
import { openTestGateway } from '../support/gateway.ts'
import { whenDone } from '../support/lifetime.ts'

test('a body below a kilobyte per second is aborted; a faster one is not', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] })
  whenDone(async () => void vi.useRealTimers())
  const [slow, fast] = [{ bytesRead: 100 }, { bytesRead: 100 }]
  const [slowEnds, fastEnds] = [vi.fn(), vi.fn()]
  const watchPace = openPaceWatch()
  const ends = [watchPace(slow, slowEnds), watchPace(fast, fastEnds)]
  whenDone(async () => {
    for (const end of ends) end()
  })

  for (let second = 0; second < 30; second++) {
    slow.bytesRead += 100
    fast.bytesRead += 4096
    vi.advanceTimersByTime(1000)
  }

  expect(slowEnds).toHaveBeenCalledWith(expect.objectContaining({ code: 'BODY_TOO_SLOW' }))
  expect(fastEnds).not.toHaveBeenCalled()
})

test('the received part of a rejected body is dropped, and its memory released', async () => {
  const budget = new BodyBudget({ inAll: 100, ofAddress: 100, ofUser: 100 })
  const share = () => budget.open({ address: '127.0.0.1', userId: 7 })
  const send = (bytes: number) => {
    const body = new PassThrough()
    const request = Object.assign(body, { headers: {}, socket: { bytesRead: 0 } })
    const done = vi.fn()
    receiveBody(body, { request: request as never, bytesMax: 1000, share }, done)
    body.write(Buffer.alloc(bytes))
    return { body, done }
  }

  const first = send(90)
  await sleep(10)
  const second = send(20)
  await sleep(10)

  expect(first.done).not.toHaveBeenCalled()
  expect(second.done.mock.calls).toEqual([[expect.objectContaining({ code: 'BODIES_LIMITED' }), undefined]])
  first.body.end()
  await once(first.body, 'close')
  const third = send(100)
  third.body.end()
  await expect.poll(() => third.done.mock.calls[0]?.[1]?.length).toBe(100)
})

test('invalid HTTP gets a JSON error, and the connection closes', async () => {
  const { url } = await openTestGateway()
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  whenDone(async () => void socket.destroy())
  let text = ''
  socket.on('data', (piece) => {
    text += piece
  })

  socket.write('hello\r\n\r\n')
  await once(socket, 'close')

  expect(text).toMatch(/^HTTP\/1.1 400 Bad Request/)
  expect(JSON.parse(text.split('\r\n\r\n')[1] ?? '').error.code).toBe('request_malformed')
})

test.each([
  ['ERR_HTTP_REQUEST_TIMEOUT', 408],
  ['HPE_HEADER_OVERFLOW', 431],
  ['HPE_INVALID_METHOD', 400],
])('%s is %d', (code, status) => {
  const end = vi.fn()
  rejectConnection(Object.assign(new Error('rejected'), { code }), { writable: true, end, setTimeout() {} } as never)
  expect(end.mock.calls[0]?.[0]).toContain(`HTTP/1.1 ${status} `)
})

test.each([
  ['POST /v1/messages HTTP/1.1\r\n', { type: 'error', error: { type: 'invalid_request_error' } }],
  ['POST /mcp HTTP/1.1\r\nAnthropic-Version: 2023-06-01\r\n', { type: 'error' }],
  ['POST /v1beta/models/x:generateContent HTTP/1.1\r\n', { error: { code: 431, status: 'INVALID_ARGUMENT' } }],
  ['x-padding: 1\r\nx-goog-api-key: sk-x\r\n', { error: { code: 431 } }],
  ['POST /messages HTTP/1.1\r\n', { type: 'error' }],
  ['POST /models/x:generateContent HTTP/1.1\r\nx-goog-api-key: sk-x\r\n', { error: { code: 431 } }],
  ['POST /v2/chat HTTP/1.1\r\n', { message: expect.stringContaining('headers') }],
  ['POST //v1/fim/completions HTTP/1.1\r\n', { object: 'error', message: expect.stringContaining('headers') }],
  ['POST /api/chat?x=1 HTTP/1.1\r\n', { error: expect.stringContaining('headers') }],
  ['POST /v1beta/openai/chat/completions HTTP/1.1\r\n', { error: { code: 'headers_too_large' } }],
  ['POST /v1/chat/completions HTTP/1.1\r\n', { error: { code: 'headers_too_large', param: null } }],
])('too large headers of %j are rejected in the format of their client', (packet, body) => {
  const end = vi.fn()
  const error = Object.assign(new Error('rejected'), { code: 'HPE_HEADER_OVERFLOW', rawPacket: Buffer.from(packet) })

  rejectConnection(error, { writable: true, end, setTimeout() {} } as never)

  expect(JSON.parse(String(end.mock.calls[0]?.[0]).split('\r\n\r\n')[1] ?? '')).toMatchObject(body)
})

test('a started reply is not broken by a second one', () => {
  const [end, destroy] = [vi.fn(), vi.fn()]
  const socket = { writable: true, end, destroy, _httpMessage: { headersSent: true } }
  rejectConnection(new Error('late'), socket as never)
  expect(end).not.toHaveBeenCalled()
  expect(destroy).toHaveBeenCalled()
})

import { EventEmitter, once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { describe, expect, onTestFinished, test } from 'vitest'
import { type WebSocket, WebSocketServer } from 'ws'
import { parseSettings } from '../../../core/channels/settings/settings.ts'
import { createDispatchers } from '../../../server/relay/transport/dispatchers.ts'
import { openSocket } from '../../../server/relay/transport/sockets.ts'
import { isTimeout } from '../../../server/relay/transport/upstream.ts'
import type { UpstreamReply } from '../../../server/relay/transport/upstream-reply.ts'
import { startUpstream } from '../../support/hand-made-upstream.ts'
import { startHttpProxy, startSocksProxy } from '../../support/proxies.ts'

/** A websocket server that does with each connection what the test says, once its first frame is there. */
async function startSockets(answer: (socket: WebSocket, first: string) => unknown) {
  const frames: string[] = []
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' })
  server.on('connection', (socket) => {
    socket.on('message', (frame) => {
      frames.push(frame.toString())
      if (frames.length === 1) answer(socket, frame.toString())
    })
  })
  await once(server, 'listening')
  onTestFinished(() => {
    for (const socket of server.clients) socket.terminate()
    server.close()
  })
  return { url: `ws://127.0.0.1:${(server.address() as AddressInfo).port}/chat`, frames, server }
}

const open = (url: string, more: Partial<Parameters<typeof openSocket>[1]> & { body?: string } = {}) => {
  const { body = '{"hello":1}', ...options } = more
  return openSocket(
    { url, headers: { authorization: 'Bearer key' }, body },
    { signal: new EventEmitter(), headersTimeoutMs: 2000, idleTimeoutMs: 2000, ...options },
  )
}

async function textOf({ body }: UpstreamReply): Promise<string> {
  const parts: Buffer[] = []
  for await (const part of body) parts.push(part)
  return Buffer.concat(parts).toString()
}

test('the body is the first frame, and each received frame is a line', async () => {
  const { url, frames } = await startSockets((socket) => {
    socket.send('{"a":"é"}')
    socket.send('{\n  "b": "\\n"\r\n}')
    socket.send(Buffer.from('{"c":3}'))
    socket.close(1000)
  })

  const reply = await open(url)

  expect(reply).toMatchObject({ statusCode: 200, headers: { 'content-type': 'application/x-ndjson' } })
  expect(await textOf(reply)).toBe('{"a":"é"}\n{   "b": "\\n" }\n{"c":3}\n')
  expect(frames).toEqual(['{"hello":1}'])
})

test('a rejected upgrade is a reply with its status and body', async () => {
  const upstream = await startUpstream(({ response }) => {
    response.writeHead(401, { 'content-type': 'application/json' })
    response.end('{"message":"HMAC signature does not match"}')
  })
  const server = upstream.url.replace('http:', 'ws:')

  // A hand-made upstream answers upgrades as any other request, since it listens for none.
  const reply = await open(server)

  expect(reply.statusCode).toBe(401)
  expect(await textOf(reply)).toBe('{"message":"HMAC signature does not match"}')
})

test('a host without a server is a failure', async () => {
  await expect(open('ws://127.0.0.1:1/')).rejects.toThrow(/ECONNREFUSED/)
})

describe('the exchange is aborted', () => {
  test('with the relay: the socket is closed immediately', async () => {
    const signal = new EventEmitter()
    const { url, server } = await startSockets((socket) => socket.send('{"a":1}'))
    const { body } = await open(url, { signal })
    expect((await body.read())?.toString()).toBe('{"a":1}\n')

    signal.emit('abort')

    await expect(body.read()).rejects.toThrow()
    await expect.poll(() => server.clients.size).toBe(0)
    expect(signal.listenerCount('abort')).toBe(0)
  })

  test('with the relay, before the upgrade', async () => {
    const signal = new EventEmitter()
    const upstream = await startUpstream(() => undefined)
    const opening = open(upstream.url.replace('http:', 'ws:'), { signal })
    await expect.poll(() => upstream.seen.length).toBe(1)

    signal.emit('abort')

    await expect(opening).rejects.toThrow()
    await expect.poll(() => upstream.seen[0]?.whole).toBe(false)
  })

  test('by its reader', async () => {
    const { url, server } = await startSockets((socket) => socket.send('{"a":1}'))
    const { body } = await open(url)

    body.destroy()

    await expect.poll(() => server.clients.size).toBe(0)
  })

  test('by a silent upstream, as a timeout', async () => {
    const { url } = await startSockets(() => undefined)
    const { body } = await open(url, { idleTimeoutMs: 30 })

    expect(isTimeout(await body.read().catch((error: unknown) => error))).toBe(true)
  })

  test('by a missing upgrade, as a timeout', async () => {
    const upstream = await startUpstream(() => undefined)
    const opening = open(upstream.url.replace('http:', 'ws:'), { headersTimeoutMs: 30 })

    expect(isTimeout(await opening.catch((error: unknown) => error))).toBe(true)
  })

  test('by an abnormal end, after all frames were read', async () => {
    const { url } = await startSockets((socket) => {
      socket.send('{"a":1}')
      socket.close(1011)
    })
    const { body } = await open(url)

    expect((await body.read())?.toString()).toBe('{"a":1}\n')
    await expect(body.read()).rejects.toThrow(/1011/)
  })
})

test('an upstream is paused while the client does not read, and nothing is lost', async () => {
  const frame = `{"a":"${'x'.repeat(64 * 1024)}"}`
  const { url } = await startSockets((socket) => {
    for (let count = 0; count < 64; count++) socket.send(frame)
    socket.close(1000)
  })
  const reply = await open(url)
  await new Promise((resolve) => setTimeout(resolve, 50))

  expect((await textOf(reply)).split('\n')).toHaveLength(65)
})

test.each([
  ['HTTP', startHttpProxy],
  ['SOCKS', startSocksProxy],
])('a proxy of %s is used for sockets too', async (_, start) => {
  const { url } = await startSockets((socket) => socket.close(1000))
  const proxy = await start({ route: () => ({ host: '127.0.0.1', port: Number(new URL(url).port) }) })
  const dispatchers = createDispatchers({ idleTimeoutMs: 1000 })
  onTestFinished(() => dispatchers.close())
  const agent = dispatchers.agent({ id: 7, settings: parseSettings(JSON.stringify({ proxy: proxy.url })) })

  const reply = await open('ws://spark.example/chat', { agent })

  expect(await textOf(reply)).toBe('')
  expect(proxy.requests).toEqual(['spark.example:80'])
})

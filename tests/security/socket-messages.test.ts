import { expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { MODEL, openTestRelay, type Settings, type TestRelay } from '../support/gateway.ts'
import { completion, type Exchange, sendJson, usage } from '../support/hand-made-upstream.ts'
import { whenDone } from '../support/lifetime.ts'

/*
 * An attack on memory and time: messages over a websocket are sent by half, are large or have many parts, of a key whose balance
 * is empty. They have the same limits as the bodies of requests.
 */

const MB = 1024 * 1024
const sent = (exchange: Exchange) => sendJson(exchange, completion('Done', usage(11, 1)))
const openRelay = (quota = 0, settings: Settings = {}) => openTestRelay(sent, { user: { quota }, settings })

async function connect({ url, key }: TestRelay) {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/v1/responses`, {
    headers: { authorization: `Bearer ${key}` },
  })
  whenDone(() => socket.terminate())
  socket.on('error', () => {})
  await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject))
  return socket
}

const answerOf = (socket: WebSocket, message: string): Promise<{ status?: number; error?: { message: string } }> =>
  new Promise((resolve, reject) => {
    socket.once('message', (data) => resolve(JSON.parse(String(data)))).once('close', reject)
    socket.send(message)
  })
const create = (input: unknown, more = {}) =>
  JSON.stringify({ type: 'response.create', model: MODEL, input, generate: false, ...more })

test('half-sent messages of a user are limited together', async () => {
  const fixture = await openRelay()
  const sockets: WebSocket[] = []
  for (let at = 0; at < 10; at++) sockets.push(await connect(fixture))
  const piece = Buffer.alloc(MB, ' ')
  for (const socket of sockets) for (let at = 0; at < 12; at++) socket.send(piece, { fin: false }, () => {})

  // 24 MB of one user, so that two messages of 12 MB fit at most.
  await expect
    .poll(() => sockets.filter(({ readyState }) => readyState === WebSocket.OPEN).length)
    .toBeLessThanOrEqual(2)
  // What ended is given back.
  for (const socket of sockets) socket.terminate()
  await expect.poll(async () => (await answerOf(await connect(fixture), create('x'))).status).toBeUndefined()
})

test('a large message needs a balance before it is parsed', async () => {
  const poor = await openRelay()
  const message = create('x'.repeat(70_000))
  expect(await answerOf(await connect(poor), message)).toMatchObject({ type: 'error', status: 403 })
  expect(await answerOf(await connect(await openRelay(1000)), message)).toMatchObject({ type: 'response.created' })
})

test('a message has a limit of objects, also as the context of a later turn', async () => {
  const socket = await connect(await openRelay(1_000_000, { BODY_ITEMS_MAX: '1000' }))
  const items = (count: number) => Array.from({ length: count }, () => ({}))
  expect(await answerOf(socket, create(items(1200)))).toMatchObject({ status: 400 })
  // Together they are too many to be kept: the client is asked to send them again.
  const first = (await answerOf(socket, create(items(700)))) as { response?: { id: string } }
  const second = (await answerOf(
    socket,
    create(items(700), { previous_response_id: first.response?.id }),
  )) as typeof first
  const third = JSON.parse(create('x', { previous_response_id: second.response?.id, generate: true }))
  expect(await answerOf(socket, JSON.stringify(third))).toMatchObject({ type: 'error', status: 404 })
})

test('messages of a deleted key are rejected', async () => {
  const fixture = await openRelay(1000)
  const socket = await connect(fixture)
  await fixture.toolkit.tokens.delete(fixture.person, fixture.bought.id)
  expect(await answerOf(socket, create('x'))).toMatchObject({ type: 'error', status: 401 })
})

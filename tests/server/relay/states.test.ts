import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { describe, expect, test } from 'vitest'
import { charges, expectExactBooks, expectNothingHeld, untilCharged } from '../../support/books.ts'
import { ask, send } from '../../support/chat.ts'
import { closeGate } from '../../support/gates.ts'
import { MODEL, openTestRelay, priceOf, type TestRelay } from '../../support/gateway.ts'
import {
  completion,
  DONE,
  type Exchange,
  event,
  say,
  sendJson,
  startStream,
  stopChunk,
  usage,
  usageChunk,
} from '../../support/hand-made-upstream.ts'
import { whenDone } from '../../support/lifetime.ts'

const REPLY = completion('Done', usage(11, 3))
const STREAM = { stream: true }

/** A relay that stays in one state until it is told to go on. */
interface Held {
  readonly fixture: TestRelay
  /** Ends the client's connection. */
  disconnect(): void
  /** Lets what the relay waits for happen. */
  goOn(): void | Promise<void>
}

interface State {
  readonly name: string
  /** Resolves when the relay is in the state. */
  readonly enter: () => Promise<Held>
  /** How many charges there are after each event. */
  readonly charges: { readonly disconnect: number; readonly stop: number }
}

/** A chat with an upstream that does this. */
async function chatting(answer: (exchange: Exchange) => unknown, body: object = ask(MODEL)): Promise<Held> {
  const fixture = await openTestRelay(answer)
  const client = new AbortController()
  const reply = send({ ...fixture, body, signal: client.signal })
  reply.then((response) => response.text()).catch(() => {})
  await expect.poll(() => fixture.upstream.seen.length).toBe(1)
  return { fixture, disconnect: () => client.abort(), goOn: () => {} }
}

/** While the database takes no writes. */
async function behindGate(answer: (exchange: Exchange) => unknown, isAsked: boolean): Promise<Held> {
  const fixture = await openTestRelay(answer)
  const gate = await closeGate(fixture, { userId: fixture.person.id })
  const client = new AbortController()
  send({ ...fixture, body: ask(MODEL), signal: client.signal })
    .then((response) => response.text())
    .catch(() => {})
  await expect.poll(() => fixture.upstream.seen.length, { timeout: 2000 }).toBe(isAsked ? 1 : 0)
  return { fixture, disconnect: () => client.abort(), goOn: gate.open }
}

const STATES: readonly State[] = [
  {
    name: 'its body arrives',
    charges: { disconnect: 0, stop: 0 },
    async enter() {
      const fixture = await openTestRelay((exchange) => sendJson(exchange, REPLY))
      const { hostname, port } = new URL(fixture.url)
      const socket = connect(Number(port), hostname)
      whenDone(() => void socket.destroy())
      socket.on('error', () => {})
      socket.write(
        `POST /v1/chat/completions HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${fixture.key}\r\n` +
          'Content-Type: application/json\r\nContent-Length: 1000\r\n\r\n{"model":',
      )
      await once(socket, 'connect')
      return { fixture, disconnect: () => void socket.destroy(), goOn: () => void socket.destroy() }
    },
  },
  {
    name: 'it waits for its hold',
    charges: { disconnect: 0, stop: 0 },
    enter: () => behindGate((exchange) => sendJson(exchange, REPLY), false),
  },
  {
    name: 'its upstream has not replied',
    charges: { disconnect: 0, stop: 0 },
    enter: () => chatting(() => {}),
  },
  {
    name: 'a half of its reply was read',
    charges: { disconnect: 0, stop: 0 },
    enter: () =>
      chatting(({ response }) => {
        response.writeHead(200, { 'content-type': 'application/json' })
        response.write(JSON.stringify(REPLY).slice(0, 40))
      }),
  },
  {
    name: 'its stream has no token yet',
    charges: { disconnect: 0, stop: 0 },
    enter: () => chatting((exchange) => startStream(exchange), { ...ask(MODEL), ...STREAM }),
  },
  {
    name: 'its stream runs',
    charges: { disconnect: 1, stop: 1 },
    async enter() {
      let response: Exchange['response'] | undefined
      const held = await chatting(
        (exchange) => {
          response = exchange.response
          startStream(exchange)
          response.write(event(say('One two three')))
        },
        { ...ask(MODEL), ...STREAM },
      )
      const goOn = () => void response?.end(event(stopChunk()) + event(usageChunk(usage(11, 3))) + DONE)
      return { ...held, goOn }
    },
  },
]

/** Some states take a moment to be reached inside the gateway; nothing outside tells. */
const settle = () => new Promise((resolve) => setTimeout(resolve, 100))

describe.each(STATES)('a relay while $name', ({ enter, charges: expected }) => {
  test('ends with its client', async () => {
    const { fixture, disconnect, goOn } = await enter()
    await settle()

    disconnect()
    await settle()
    await goOn()

    if (expected.disconnect > 0) await untilCharged(fixture, expected.disconnect)
    await expectNothingHeld(fixture)
    expect(await expectExactBooks(fixture)).toHaveLength(expected.disconnect)
    // Nothing is left that the gateway would wait for.
    await fixture.gateway.close()
  })

  test('ends with its gateway', async () => {
    const { fixture, goOn } = await enter()
    await settle()

    const closing = fixture.gateway.close()
    await settle()
    await goOn()
    await closing

    await expectNothingHeld(fixture)
    expect(await expectExactBooks(fixture)).toHaveLength(expected.stop)
  })
})

describe('a relay whose charge is being written', () => {
  test.each(['disconnect', 'stop'])('is charged once after a %s', async (what) => {
    let open: (() => Promise<void>) | undefined
    const fixture: TestRelay = await openTestRelay(async (exchange) => {
      // The hold is taken; from now on nothing is written until the event.
      open = (await closeGate(fixture, { userId: fixture.person.id })).open
      sendJson(exchange, REPLY)
    })
    const client = new AbortController()
    const reply = send({ ...fixture, body: ask(MODEL), signal: client.signal })
    const text = reply.then((response) => response.text()).catch(() => '')
    await expect.poll(() => open).toBeDefined()
    await settle()

    const closing = what === 'stop' ? fixture.gateway.close() : client.abort()
    await settle()
    await open?.()
    await closing

    await untilCharged(fixture, 1)
    await expectNothingHeld(fixture)
    expect(await expectExactBooks(fixture)).toMatchObject([{ quota: priceOf(11, 3) }])
    expect(await text).toBe(what === 'stop' ? JSON.stringify(REPLY) : '')
  })
})

/** An upstream below HTTP: what it does with each connection is the test's matter. */
async function rawUpstream(serve: (socket: Socket) => void): Promise<string> {
  const server = createServer((socket) => {
    socket.on('error', () => {})
    serve(socket)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  whenDone(() => void server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const PAYLOAD = JSON.stringify(REPLY)
const MESSAGE = `HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(PAYLOAD)}\r\n\r\n${PAYLOAD}`
const LONG = ask(MODEL, { messages: [{ role: 'user', content: 'x'.repeat(3_000_000) }] })

async function relayTo(serve: (socket: Socket) => void): Promise<TestRelay> {
  return openTestRelay(() => {}, { channel: { base_url: await rawUpstream(serve) }, user: { quota: 100_000_000 } })
}

describe('an upstream that replies', () => {
  test('in chunks of one byte is read normally', async () => {
    const fixture = await relayTo((socket) => {
      socket.setNoDelay(true)
      socket.once('data', async () => {
        for (const byte of Buffer.from(MESSAGE)) {
          socket.write(Buffer.of(byte))
          await new Promise(setImmediate)
        }
      })
    })

    expect(await fixture.chat(ask(MODEL))).toMatchObject({ status: 200, text: PAYLOAD })
    expect(await expectExactBooks(fixture)).toMatchObject([{ quota: priceOf(11, 3) }])
  })

  test('twice to one request is charged once', async () => {
    const fixture = await relayTo((socket) => socket.once('data', () => socket.write(MESSAGE + MESSAGE)))

    expect(await fixture.chat(ask(MODEL))).toMatchObject({ status: 200, text: PAYLOAD })
    await expectNothingHeld(fixture)
    expect(await expectExactBooks(fixture)).toHaveLength(1)
  })

  test('before it has the request, and then closes: the client gets one reply, and pays only for it', async () => {
    const fixture = await relayTo((socket) => {
      socket.end(MESSAGE)
      socket.pause()
    })

    const { status } = await fixture.chat(LONG)

    await expectNothingHeld(fixture)
    expect(await charges(fixture)).toHaveLength(status === 200 ? 1 : 0)
    await expectExactBooks(fixture)
  })
})

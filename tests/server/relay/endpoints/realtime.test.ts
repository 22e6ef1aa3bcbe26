import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { WebSocket, WebSocketServer } from 'ws'
import type { CircuitChange } from '../../../../core/channels/health/health.ts'
import { poolOf } from '../../../../core/channels/routing/routing.ts'
import { GatewayError } from '../../../../core/errors.ts'
import type { Hold } from '../../../../core/ledger/charge.ts'
import { BodyBudget } from '../../../../server/bodies/budget.ts'
import { jsonLimits } from '../../../../server/bodies/json-scan.ts'
import { drainWithin } from '../../../../server/relay/delivery/grace.ts'
import {
  createRealtime,
  type EndedSession,
  type Realtime,
  type RealtimeAdmitted,
} from '../../../../server/relay/endpoints/realtime.ts'
import { readFailure } from '../../../../server/relay/providers/failure.ts'
import { contextWith, liveChannel } from '../../../support/ask.ts'
import { openHealth } from '../../../support/health.ts'
import { pricedAt } from '../../../support/usage.ts'

const AHEAD = 500
const DONE = {
  type: 'response.done',
  response: {
    usage: {
      input_tokens: 110,
      output_tokens: 65,
      input_token_details: { text_tokens: 10, audio_tokens: 100 },
      output_token_details: { text_tokens: 5, audio_tokens: 60 },
    },
  },
}

const closers: (() => Promise<unknown> | unknown)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close()
})

async function listening(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  closers.push(() => {
    server.closeAllConnections()
    return new Promise((resolve) => server.close(resolve))
  })
  return (server.address() as AddressInfo).port
}

/** An upstream whose sessions are in the hands of the test. `refuses`: the HTTP status it answers instead. */
async function openUpstream({ refuses = 0 } = {}) {
  const server = createServer()
  const sockets = new WebSocketServer({ noServer: true, handleProtocols: () => 'realtime' })
  const requests: IncomingMessage[] = []
  const sessions: Peer[] = []
  const opened: ((peer: Peer) => void)[] = []
  server.on('upgrade', (request, socket, head) => {
    requests.push(request)
    if (refuses) {
      const body = JSON.stringify({ error: { message: 'no sk-channel-key-1234567890 here', code: 'bad' } })
      return socket.end(`HTTP/1.1 ${refuses} No\r\ncontent-length: ${body.length}\r\n\r\n${body}`)
    }
    sockets.handleUpgrade(request, socket, head, (accepted) => {
      const peer = new Peer(accepted)
      // Sent with the answer itself: the gateway must not miss it.
      peer.say({ type: 'session.created', session: {} })
      sessions.push(peer)
      opened.shift()?.(peer)
    })
  })
  const port = await listening(server)
  const session = () =>
    new Promise<Peer>((resolve) => {
      const there = sessions.shift()
      if (there) resolve(there)
      else
        opened.push((peer) => {
          sessions.shift()
          resolve(peer)
        })
    })
  return { url: `ws://127.0.0.1:${port}/v1/realtime`, requests, session }
}

/** One end of a session. */
class Peer {
  private readonly heard: Record<string, unknown>[] = []
  private readonly waiting: ((event: Record<string, unknown>) => void)[] = []
  readonly closed: Promise<number>

  constructor(readonly socket: WebSocket) {
    socket.on('error', () => {})
    socket.on('message', (data) => {
      const event = JSON.parse(String(data))
      const next = this.waiting.shift()
      if (next) next(event)
      else this.heard.push(event)
    })
    this.closed = new Promise((resolve) => socket.on('close', resolve))
  }

  say(event: object): void {
    this.socket.send(JSON.stringify(event))
  }
  async hear(): Promise<Record<string, unknown>> {
    return this.heard.shift() ?? new Promise((resolve) => this.waiting.push(resolve))
  }
}

interface Fixture {
  connect(options?: { protocols?: string[]; headers?: Record<string, string> }): Promise<Peer>
  settled: EndedSession<RealtimeAdmitted>[]
  /** What happened to the hold, in order. */
  ledger: string[]
  realtime: Realtime<RealtimeAdmitted>
  /** What circuits have done. */
  changes: CircuitChange[]
  /** Resolves when all sessions so far are over. */
  over(): Promise<void>
}

/** What is held before anything is said: (500 + 4096 × 20 × 2) × 2.5, the longest response as speech. */
const HELD_AHEAD = 410_850

/** A gateway of nothing but realtime sessions. `balance`: quota that can be held. */
async function openFixture(
  upstreams: readonly { url: string }[],
  {
    balance = 1_000_000_000,
    admitted: fields = {},
    mapping = {},
    retries = 0,
    settleFails = false,
    idleMs = 60_000,
    bodiesMax = 1e9,
  }: {
    balance?: number
    admitted?: Partial<RealtimeAdmitted>
    mapping?: Record<string, string>
    retries?: number
    settleFails?: boolean
    idleMs?: number
    /** Bytes of incomplete frames. */
    bodiesMax?: number
  } = {},
): Promise<Fixture> {
  const settled: EndedSession<RealtimeAdmitted>[] = []
  const ledger: string[] = []
  const running: Promise<void>[] = []
  let left = balance
  const take = (quota: number) => {
    if (quota > left) throw new GatewayError('INSUFFICIENT_QUOTA', { needed: quota, available: left })
    left -= quota
  }
  const channels = upstreams.map((_, index) =>
    liveChannel(1, { id: index + 1, priority: -index, modelMapping: mapping }),
  )
  const { health, add, changes } = openHealth()
  add(...channels)
  const admitted: RealtimeAdmitted = {
    requestId: 'request-1',
    model: 'gpt-4o-realtime-preview',
    price: pricedAt({ modelRatio: 2.5, completionRatio: 4, audioRatio: 20, audioCompletionRatio: 2 }),
    channels: poolOf(channels),
    query: 'model=gpt-4o-realtime-preview',
    headers: {},
    ...fields,
  }
  const bodies = new BodyBudget({ inAll: 1e9, ofAddress: 1e9, ofUser: bodiesMax })
  const realtime = createRealtime<RealtimeAdmitted>({
    async hold(_, quota) {
      take(quota)
      ledger.push(`hold ${quota}`)
      return { userId: 1, budgetTokenId: 0, quota, open: true, lost: false, place: -1, number: 1 }
    },
    ledger: {
      async extend(hold: Hold, quota: number) {
        take(quota)
        hold.quota += quota
        ledger.push('extend')
      },
      release(hold: Hold) {
        ledger.push(hold.open ? 'release' : 'nothing to release')
      },
    },
    async settle(session) {
      if (settleFails) throw new Error('a defect')
      session.hold.open = false
      settled.push(session)
      ledger.push('settle')
    },
    providerOf: () => ({
      failure: readFailure,
      plan: ({ model }, { id, key }) => ({
        request: {
          url: `${upstreams[id - 1]?.url}?model=${model}`,
          headers: { authorization: `Bearer ${key}`, 'openai-beta': 'realtime=v1' },
          body: null,
        },
      }),
    }),
    health: ({ model }) => health.begin({ model, via: 'realtime' }),
    refuse: (_, { content }) => (content === 'a bad word' ? new GatewayError('SENSITIVE_WORDS') : undefined),
    providerContextFor: () => contextWith(),
    agentOf: () => undefined,
    attemptsMax: () => 1 + retries,
    receiving: () => bodies.open({ address: '127.0.0.1', userId: 1 }),
    limits: jsonLimits(1000),
    aheadTokens: () => AHEAD,
    idleMs,
    tokenizer: { count: async (_, texts) => texts.join(' ').split(/\s+/).filter(Boolean).length },
    logger: { warn: () => undefined, error: () => undefined },
  })
  const server = createServer()
  server.on('upgrade', (request, socket, head) => {
    running.push(realtime.handle(admitted, request, socket, head))
  })
  const port = await listening(server)
  return {
    settled,
    ledger,
    changes,
    realtime,
    async over() {
      await Promise.all(running)
    },
    async connect({ protocols = [], headers = {} } = {}) {
      const socket = new WebSocket(`ws://127.0.0.1:${port}/v1/realtime?model=x`, protocols, { headers })
      const peer = new Peer(socket)
      await once(socket, 'open')
      closers.push(() => socket.terminate())
      return peer
    },
  }
}

/** A session that has begun on both sides. */
async function begun(options?: Parameters<typeof openFixture>[1]) {
  const upstream = await openUpstream()
  const fixture = await openFixture([upstream], options)
  const client = await fixture.connect()
  const peer = await upstream.session()
  expect(await client.hear()).toMatchObject({ type: 'session.created' })
  return { ...fixture, client, peer, upstream }
}

describe('a session', () => {
  test('forwards events in both directions unchanged', async () => {
    const { client, peer } = await begun()
    client.socket.send('{ "type":"conversation.item.create",  "big": 12345678901234567890 }')
    peer.socket.once('message', (data, isBinary) => {
      expect([String(data), isBinary]).toEqual([
        '{ "type":"conversation.item.create",  "big": 12345678901234567890 }',
        false,
      ])
    })
    expect(await peer.hear()).toMatchObject({ type: 'conversation.item.create' })
    peer.say({ type: 'something.new', kept: { too: [1] } })
    expect(await client.hear()).toEqual({ type: 'something.new', kept: { too: [1] } })
  })

  test('continues after a rejected event, whose reason the client gets', async () => {
    const { client, peer } = await begun()
    client.say({ type: 'conversation.item.create', event_id: 'mine', content: 'a bad word' })
    const { error } = (await client.hear()) as { error: Record<string, unknown> }
    expect(error).toMatchObject({ code: 'sensitive_words_detected', event_id: 'mine', param: null })
    expect(Object.keys(error).sort()).toEqual(['code', 'event_id', 'message', 'param', 'type'])
    client.say({ type: 'conversation.item.create', content: 'a good one' })
    expect(await peer.hear()).toMatchObject({ content: 'a good one' })
  })

  test('forwards binary frames as text', async () => {
    const { client, peer } = await begun()
    const kind = new Promise((resolve) => peer.socket.once('message', (_, isBinary) => resolve(isBinary)))
    client.socket.send(Buffer.from('{"type":"input_audio_buffer.clear"}'), { binary: true })
    expect(await kind).toBe(false)
  })

  test('is charged once, at its end, for all its responses', async () => {
    const { client, peer, over, settled, ledger } = await begun({ mapping: { 'gpt-4o-realtime-preview': 'mapped' } })
    for (const _ of [1, 2]) {
      peer.say(DONE)
      expect(await client.hear()).toMatchObject({ type: 'response.done' })
    }
    client.socket.close(1000)
    await over()
    expect(settled).toHaveLength(1)
    expect(settled[0]).toMatchObject({
      end: 'complete',
      upstreamModel: 'mapped',
      tried: [1],
      channel: { id: 1 },
      bill: {
        // Twice (10 + 5 × 4 + 100 × 20 + 60 × 20 × 2) × 2.5
        quota: 22_150,
        isEstimated: false,
        usage: { promptTokens: 220, completionTokens: 130 },
        other: { ws: true, audio_input: 200, audio_output: 120, text_input: 20, text_output: 10 },
      },
    })
    expect(ledger.at(0)).toBe(`hold ${HELD_AHEAD}`)
    expect(ledger.slice(-2)).toEqual(['settle', 'nothing to release'])
  })

  test('is charged by our count if the upstream reports nothing', async () => {
    const { client, peer, over, settled } = await begun()
    peer.say({ type: 'response.text.delta', delta: 'two words' })
    await client.hear()
    client.socket.close()
    await over()
    expect(settled[0]?.bill).toMatchObject({ isEstimated: true, quota: 20, usage: { completionTokens: 2 } })
    expect(settled[0]?.firstTokenAt).toBeGreaterThan(0)
  })

  test('costs a price per call once, and never extends its hold', async () => {
    const { client, peer, over, settled, ledger } = await begun({ admitted: { price: pricedAt({ modelPrice: 0.1 }) } })
    for (const _ of [1, 2, 3]) {
      peer.say(DONE)
      await client.hear()
    }
    client.socket.close()
    await over()
    expect(settled[0]?.bill.quota).toBe(50_000)
    expect(ledger).toEqual(['hold 50000', 'settle', 'nothing to release'])
  })

  test('extends its hold before it is exhausted', async () => {
    const { client, peer, over, settled, ledger } = await begun()
    peer.say(DONE)
    await client.hear()
    client.socket.close()
    await over()
    expect(ledger).toContain('extend')
    expect(settled[0]?.hold.quota).toBeGreaterThanOrEqual(settled[0]?.bill.quota ?? Number.POSITIVE_INFINITY)
  })
})

describe('the end of a session', () => {
  test('sends an error event if the quota is exhausted, and the usage is charged', async () => {
    const { client, peer, over, settled } = await begun({ balance: HELD_AHEAD + 2000 })
    peer.say(DONE)
    expect(await client.hear()).toMatchObject({ type: 'response.done' })
    expect(await client.hear()).toMatchObject({
      type: 'error',
      error: { code: 'insufficient_user_quota', message: expect.stringContaining('(request id: request-1)') },
    })
    expect(await client.closed).toBe(1008)
    await peer.closed
    await over()
    expect(settled[0]).toMatchObject({ end: 'quota', bill: { quota: 11_075 } })
  })

  test('closes the upstream if the client closes', async () => {
    const { client, peer, over, settled } = await begun()
    client.socket.close(1000)
    expect(await peer.closed).toBe(1000)
    await over()
    expect(settled[0]).toMatchObject({ end: 'complete', bill: { quota: 0 } })
  })

  test('closes the upstream if the client disconnected before it opened', async () => {
    const upstream = await openUpstream()
    const { connect, over, settled } = await openFixture([upstream])
    const client = await connect()
    client.socket.terminate()
    await over()
    expect(settled).toMatchObject([{ end: 'client-gone', bill: { quota: 0 } }])
    await (await upstream.session()).closed
  })

  test('closes the client if the upstream closes', async () => {
    const { client, peer, over } = await begun()
    peer.socket.close(1000)
    expect(await client.closed).toBe(1000)
    await over()
  })

  test('reports to the client that the upstream broke off', async () => {
    const { client, peer, over, settled } = await begun()
    peer.say({ type: 'response.text.delta', delta: 'two words' })
    await client.hear()
    peer.socket.terminate()
    expect(await client.hear()).toMatchObject({ type: 'error', error: { code: 'upstream_broke' } })
    expect(await client.closed).toBe(1011)
    await over()
    expect(settled[0]).toMatchObject({ end: 'upstream-broke', bill: { quota: 20 } })
  })

  test('waits for the usage of a response after the client disconnected', async () => {
    const { client, peer, over, settled } = await begun()
    peer.say({ type: 'response.created', response: {} })
    peer.say({ type: 'response.text.delta', delta: 'hello' })
    await client.hear()
    await client.hear()
    client.socket.terminate()
    expect(await peer.hear()).toEqual({ type: 'response.cancel' })
    peer.say(DONE)
    expect(await peer.closed).toBe(1000)
    await over()
    expect(settled[0]).toMatchObject({ end: 'client-gone', bill: { quota: 11_075, isEstimated: false } })
  })

  test('follows invalid JSON of a client', async () => {
    const { client, peer, over } = await begun()
    client.socket.send('hello')
    expect(await client.hear()).toMatchObject({ type: 'error', error: { code: 'invalid_json' } })
    expect(await client.closed).toBe(1007)
    await peer.closed
    await over()
  })

  test('follows a frame of too many objects', async () => {
    const { client, peer, over } = await begun()
    client.socket.send(
      JSON.stringify({ type: 'session.update', session: { tools: Array.from({ length: 1000 }, () => ({})) } }),
    )
    expect(await client.hear()).toMatchObject({ type: 'error', error: { code: 'invalid_json' } })
    expect(await client.closed).toBe(1007)
    await peer.closed
    await over()
  })

  test('follows a frame that is sent by half and has no room', async () => {
    const { client, peer, over } = await begun({ bodiesMax: 100_000 })
    client.socket.send('{"type":"session.update"}')
    expect(await peer.hear()).toMatchObject({ type: 'session.update' })
    for (let part = 0; part < 4; part++) client.socket.send(' '.repeat(30_000), { fin: false }, () => {})
    expect([1006, 1013]).toContain(await client.closed)
    await peer.closed
    await over()
  })

  test.each(['client', 'upstream'])('follows too deeply nested frames, of the %s', async (side) => {
    const { client, peer, over } = await begun({ mapping: { 'gpt-4o-realtime-preview': 'deployed' } })
    const deep = `${'['.repeat(50_000)}${']'.repeat(50_000)}`
    const frame = `{"type":"session.update","session":{"model":"gpt-4o-realtime-preview","tools":${deep}}}`
    const sender = side === 'client' ? client : peer
    sender.socket.send(frame)
    expect((await client.hear()).type).toBe('error')
    expect(await client.closed).toBe(side === 'client' ? 1007 : 1011)
    await over()
  })

  test('follows invalid JSON of an upstream', async () => {
    const { client, peer, over } = await begun()
    peer.socket.send('<html>')
    expect(await client.hear()).toMatchObject({ type: 'error', error: { code: 'upstream_broke' } })
    expect(await client.closed).toBe(1011)
    await over()
  })

  test('follows a gateway shutdown, after its grace, charged', async () => {
    const { client, peer, realtime, settled, connect } = await begun()
    peer.say(DONE)
    await client.hear()
    await drainWithin({ graceMs: 10, closed: Promise.resolve() }, [realtime])
    expect(settled[0]).toMatchObject({ end: 'stopping', bill: { quota: 11_075 } })
    expect(await client.hear()).toMatchObject({ error: { code: 'stopping' } })
    expect(await client.closed).toBe(1001)
    const late = await connect()
    expect(await late.hear()).toMatchObject({ error: { code: 'stopping' } })
  })

  test('leaves no hold if charging fails', async () => {
    const { client, over, ledger } = await begun({ settleFails: true })
    client.socket.close()
    await over()
    expect(ledger.at(-1)).toBe('release')
  })
})

describe('a session keeps its model', () => {
  test('an event with another model is rejected and not forwarded', async () => {
    const { client, peer } = await begun()
    const model = 'gpt-realtime'
    for (const [param, event] of [
      ['session.model', { type: 'session.update', session: { model } }],
      ['session.model', { type: 'transcription_session.update', session: { model } }],
      ['response.model', { type: 'response.create', response: { model } }],
      ['response.model', { type: 'response.create', response: { model: [model] } }],
    ] as const) {
      client.say({ ...event, event_id: param })
      expect(await client.hear()).toMatchObject({
        type: 'error',
        error: { type: 'invalid_request_error', code: 'model_cannot_change', param, event_id: param },
      })
    }
    client.say({ type: 'input_audio_buffer.clear' })
    expect(await peer.hear()).toEqual({ type: 'input_audio_buffer.clear' })
  })

  test('its own model is forwarded with the upstream’s name', async () => {
    const { client, peer } = await begun({ mapping: { 'gpt-4o-realtime-preview': 'deployed' } })
    client.say({ type: 'session.update', session: { model: 'gpt-4o-realtime-preview', voice: 'alloy' } })
    expect(await peer.hear()).toEqual({ type: 'session.update', session: { model: 'deployed', voice: 'alloy' } })
    client.say({ type: 'session.update', session: { model: 'deployed' } })
    expect(await peer.hear()).toEqual({ type: 'session.update', session: { model: 'deployed' } })
  })

  test('the upstream’s name is not shown to the client', async () => {
    const { client, peer } = await begun({ mapping: { 'gpt-4o-realtime-preview': 'deployed' } })
    peer.say({ type: 'session.updated', session: { model: 'deployed', voice: 'alloy' } })
    expect(await client.hear()).toEqual({
      type: 'session.updated',
      session: { model: 'gpt-4o-realtime-preview', voice: 'alloy' },
    })
  })

  test('the upstream’s errors contain neither the channel’s key nor an address', async () => {
    const { client, peer } = await begun()
    const message = 'Key sk-channel-key-1234567890 of http://10.1.2.3:80/v1 is used up'
    peer.say({ type: 'error', event_id: 'e', error: { type: 'server_error', message } })
    expect(await client.hear()).toEqual({
      type: 'error',
      event_id: 'e',
      error: { type: 'server_error', message: 'Key *** of *** is used up' },
    })
    peer.say({ type: 'response.done', response: { status: 'failed', status_details: { error: { message } } } })
    expect(JSON.stringify(await client.hear())).not.toContain('1234567890')
  })

  test('its response is forwarded with the upstream’s name; the transcription model is separate', async () => {
    const { client, peer } = await begun({ mapping: { 'gpt-4o-realtime-preview': 'deployed' } })
    client.say({ type: 'response.create', response: { model: 'gpt-4o-realtime-preview', instructions: 'Hi' } })
    expect(await peer.hear()).toEqual({ type: 'response.create', response: { model: 'deployed', instructions: 'Hi' } })
    const update = { type: 'session.update', session: { input_audio_transcription: { model: 'whisper-1' } } }
    client.say(update)
    expect(await peer.hear()).toEqual(update)
  })
})

describe('opening a session', () => {
  test('uses the channel’s key upstream, and never the client’s', async () => {
    const upstream = await openUpstream()
    const { connect } = await openFixture([upstream])
    const client = await connect({ headers: { authorization: 'Bearer sk-client' } })
    await client.hear()
    expect(upstream.requests[0]?.headers).toMatchObject({
      authorization: 'Bearer sk-channel-key-1234567890',
      'openai-beta': 'realtime=v1',
    })
    expect(upstream.requests[0]?.headers['sec-websocket-protocol']).toBeUndefined()
  })

  test('uses subprotocols if the client does', async () => {
    const upstream = await openUpstream()
    const { connect } = await openFixture([upstream])
    const protocols = ['realtime', 'openai-insecure-api-key.sk-client', 'openai-beta.realtime-v1']
    const client = await connect({ protocols })
    await client.hear()
    expect(client.socket.protocol).toBe('realtime')
    const { headers } = upstream.requests[0] as IncomingMessage
    expect(headers['sec-websocket-protocol']).toBe(
      'realtime,openai-insecure-api-key.sk-channel-key-1234567890,openai-beta.realtime-v1',
    )
    expect(headers.authorization).toBeUndefined()
    expect(headers['openai-beta']).toBeUndefined()
  })

  test('returns the request id', async () => {
    const upstream = await openUpstream()
    const { connect } = await openFixture([upstream])
    const client = await connect()
    const answer = new Promise<IncomingMessage>((resolve) => {
      const again = new WebSocket(client.socket.url)
      again.once('upgrade', resolve)
      closers.push(() => again.terminate())
    })
    expect((await answer).headers['x-oneapi-request-id']).toBe('request-1')
  })

  test('tries another channel after a failure, each time after a longer wait', async () => {
    const [bad, good] = [await openUpstream({ refuses: 500 }), await openUpstream()]
    const { connect, over, settled } = await openFixture([bad, bad, bad, good], { retries: 3 })
    const luck = vi.spyOn(Math, 'random').mockReturnValue(0.99)
    const before = performance.now()
    const client = await connect()
    expect(await client.hear()).toMatchObject({ type: 'session.created' })
    expect(performance.now() - before).toBeGreaterThan(0.99 * (50 + 100 + 200) - 5)
    luck.mockRestore()
    client.socket.close()
    await over()
    expect(settled[0]).toMatchObject({ tried: [1, 2, 3, 4], channel: { id: 4 } })
  })

  test.each([
    [401, 'bad'],
    [200, 'upstream_unreachable'],
  ])('with upstream status %d ends with its error, no charge and no secret', async (refuses, code) => {
    const upstream = await openUpstream({ refuses })
    const { connect, over, ledger } = await openFixture([upstream])
    const client = await connect()
    const event = await client.hear()
    expect(event).toMatchObject({ type: 'error', error: { code, message: expect.stringContaining('request-1') } })
    expect(JSON.stringify(event)).not.toContain('sk-channel')
    expect(await client.closed).toBe(1011)
    await over()
    expect(ledger).toEqual([`hold ${HELD_AHEAD}`, 'release'])
  })

  test.each([
    ['that refuse the key', { refuses: 401 }, 5, 'account'],
    ['that break off', { refuses: 0 }, 10, 'server'],
  ] as const)('is no longer tried at upstreams %s, repeatedly', async (_, behaviour, count, cause) => {
    const upstream = await openUpstream(behaviour)
    const { connect, over, changes } = await openFixture([upstream])
    for (let turn = 0; turn < count; turn++) {
      const client = await connect()
      await client.hear()
      if (!behaviour.refuses) (await upstream.session()).socket.terminate()
      await client.closed
      await over()
    }
    expect(changes).toMatchObject([{ transition: 'opened', cause }])
    const client = await connect()
    expect(await client.hear()).toMatchObject({ type: 'error', error: { code: 'no_available_channel' } })
    expect(await client.closed).toBe(1008)
  })

  test('ends after its idle time, is charged for what it used, and holds nothing', async () => {
    const upstream = await openUpstream()
    const { connect, over, ledger, settled } = await openFixture([upstream], { idleMs: 150 })
    const client = await connect()
    const session = await upstream.session()
    expect(await client.hear()).toMatchObject({ type: 'session.created' })
    // Each event of either side starts the time again.
    for (let turn = 0; turn < 5; turn++) {
      await new Promise((resolve) => setTimeout(resolve, 60))
      if (turn % 2) session.say(DONE)
      else client.say({ type: 'input_audio_buffer.clear' })
    }
    for (let turn = 0; turn < 2; turn++) expect(await client.hear()).toMatchObject({ type: 'response.done' })
    expect(await client.hear()).toMatchObject({ type: 'error', error: { code: 'session_expired' } })
    expect(await client.closed).toBe(1000)
    expect(await session.closed).toBe(1000)
    await over()
    expect(settled).toMatchObject([{ end: 'complete' }])
    expect(ledger.slice(-2)).toEqual(['settle', 'nothing to release'])
  })

  test('is retried if a client header may be the cause of a rejection', async () => {
    const upstream = await openUpstream({ refuses: 403 })
    const { connect, over, changes } = await openFixture([upstream], { admitted: { headers: { 'openai-beta': 'x' } } })
    for (let turn = 0; turn < 11; turn++) {
      const client = await connect()
      await client.hear()
      await client.closed
      await over()
    }
    expect(changes).toEqual([])
  })

  test('is retried if the upstream rejects the client’s frames', async () => {
    const upstream = await openUpstream()
    const { connect, over, changes } = await openFixture([upstream])
    for (let turn = 0; turn < 12; turn++) {
      const client = await connect()
      await client.hear()
      const { socket } = await upstream.session()
      socket.close(1007 + (turn % 3))
      expect(await client.closed).toBe(1011)
      await over()
    }
    expect(changes).toEqual([])
  })

  test('fails when the upstream is unreachable', async () => {
    const { connect, over } = await openFixture([{ url: 'ws://127.0.0.1:1/v1/realtime' }])
    const client = await connect()
    expect(await client.hear()).toMatchObject({ error: { code: 'upstream_unreachable' } })
    await over()
  })

  test('without quota is rejected by an event, without an upstream request', async () => {
    const upstream = await openUpstream()
    const { connect, over } = await openFixture([upstream], { balance: 10 })
    const client = await connect()
    expect(await client.hear()).toMatchObject({ type: 'error', error: { code: 'insufficient_user_quota' } })
    expect(await client.closed).toBe(1008)
    await over()
    expect(upstream.requests).toEqual([])
  })
})

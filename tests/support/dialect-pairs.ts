import { expect } from 'vitest'
import type { NewChannel } from '../../core/channels/channel.ts'
import type { Log } from '../../core/logs/log.ts'
import { expectExactBooks, expectNothingHeld, untilCharged } from './books.ts'
import { post, send } from './chat.ts'
import { CLIENTS, type Client, type ClientName, type Got } from './clients.ts'
import { tokensOf } from './count.ts'
import { BALANCE, OUTPUT_TOKENS_MAX, openTestRelay, PRICE, type Settings, type TestRelay } from './gateway.ts'
import { type Exchange, sendJson, startStream, startUpstream } from './hand-made-upstream.ts'
import { WIRES, type Wire, type WireEnd, type WireName, wireOf } from './wires.ts'

/** A client's dialect, and the format of the upstream that serves it. */
export interface Pair {
  readonly name: string
  readonly client: Client
  readonly wire: WireName
  /** The model served by the upstream of that format. */
  readonly model: string
}

const modelOf = (wire: WireName) => `test-${wire}`
const pair = (client: ClientName, wire: WireName): Pair => ({
  name: `${client} → ${wire}`,
  client: CLIENTS[client],
  wire,
  model: modelOf(wire),
})

/** Every dialect with an upstream of the same format and of others. */
export const PAIRS: readonly Pair[] = [
  pair('chat', 'chat'),
  pair('chat', 'messages'),
  pair('chat', 'gemini'),
  pair('chat', 'responses'),
  pair('messages', 'messages'),
  pair('messages', 'chat'),
  pair('messages', 'gemini'),
  pair('gemini', 'gemini'),
  pair('gemini', 'chat'),
  pair('gemini', 'messages'),
  pair('responses', 'responses'),
  pair('responses', 'chat'),
  pair('completions', 'completions'),
  pair('completions', 'chat'),
]

export const OUTPUT = 'One two three'
const WIRE_NAMES = Object.keys(WIRES) as WireName[]
const RATIOS = {
  ModelRatio: PRICE.modelRatio,
  CompletionRatio: PRICE.completionRatio,
  CacheRatio: 0.25,
  CacheWriteRatio: 1.25,
} as const

/** An upstream's handling of a request in its format. */
export type Behaviour = (exchange: Exchange, wire: Wire) => unknown

const isStream = ({ path, body }: Exchange) => body.stream === true || path.includes(':stream')

/** Replies with `SAID`, as a stream if requested. */
export const answering =
  (end: WireEnd = {}): Behaviour =>
  (exchange, wire) => {
    if (!isStream(exchange)) return sendJson(exchange, wire.whole(OUTPUT, end))
    startStream(exchange)
    exchange.response.end(wire.begin('One ') + wire.more('two three') + wire.end(end))
  }

/** Starts a stream with `SAID`; resolves when the text has been written. */
export function begin(exchange: Exchange, wire: Wire): Promise<void> {
  startStream(exchange)
  exchange.response.write(wire.begin('One '))
  return new Promise((resolve) => exchange.response.write(wire.more('two three'), () => resolve()))
}

export interface PairFixture extends TestRelay {
  /** Sets the behavior of the upstreams. */
  behave(behaviour: Behaviour): void
}

/**
 * Opens a gateway with upstreams of every format, each with its own model. Requests that fail before their first token are
 * retried at other upstreams, which succeed.
 */
export async function openPairs({
  settings = {},
  setting = {},
  channel = {},
}: {
  settings?: Settings
  /** Settings of the channels that are tried first. */
  setting?: object
  channel?: Partial<NewChannel>
} = {}): Promise<PairFixture> {
  let current: Behaviour = answering()
  const fixture = await openTestRelay((exchange) => current(exchange, wireOf(exchange.path)), { settings })
  const { toolkit, root, upstream } = fixture
  for (const [name, ratio] of Object.entries(RATIOS) as [keyof typeof RATIOS, number][]) {
    const byModel = Object.fromEntries(WIRE_NAMES.map((wire) => [modelOf(wire), ratio]))
    await toolkit.options.set(root, name, JSON.stringify(byModel))
  }
  const longest = Object.fromEntries(WIRE_NAMES.map((wire) => [modelOf(wire), OUTPUT_TOKENS_MAX]))
  await toolkit.options.set(root, 'OutputTokensMax', JSON.stringify(longest))
  await toolkit.options.set(root, 'PlainModels', Object.keys(longest).join(','))
  const others = await startUpstream((exchange) => answering()(exchange, wireOf(exchange.path)))
  for (const wire of WIRE_NAMES) {
    const models = modelOf(wire)
    const { setting: spoken = '{}', ...row } = WIRES[wire].channel
    const first = JSON.stringify({ ...(JSON.parse(spoken) as object), ...setting })
    await fixture.channel({ base_url: upstream.url, models, ...row, setting: first, ...channel })
    await fixture.channel({ base_url: others.url, models, priority: -1, ...row, setting: spoken })
  }
  await toolkit.options.set(root, 'RetryTimes', '1')
  return Object.assign(fixture, {
    behave(behaviour: Behaviour) {
      current = behaviour
    },
  })
}

/** The reply to a client of a pair, with its charge. */
export interface Outcome extends Got {
  status: number
  log: (Omit<Log, 'other'> & { other: Record<string, unknown> }) | undefined
}

/** One behavior of an upstream, with the expected outcome for each pair. */
export interface Row {
  behaviour: Behaviour
  stream: boolean
  expected: (pair: Pair) => object
  /** The pairs to test; default: all. */
  of?: (pair: Pair) => boolean
}

/** Sends the requests of all rows, all dialects in parallel, and compares the outcomes and the ledger with the expectations. */
export async function expectRows(fixture: PairFixture, rows: Readonly<Record<string, Row>>): Promise<void> {
  const requests: { row: string; pair: Pair; requestId: string; outcome: Omit<Outcome, 'log'> }[] = []
  for (const [row, { behaviour, stream, of = () => true }] of Object.entries(rows)) {
    fixture.behave(behaviour)
    const answers = PAIRS.filter(of).map(async (pair) => {
      const answer = await post({ ...fixture, ...pair.client.ask(pair.model, stream) })
      const outcome = { status: answer.status, ...pair.client.read(answer.text, stream) }
      return { row, pair, requestId: answer.requestId, outcome }
    })
    requests.push(...(await Promise.all(answers)))
  }
  const logs = await exactBooks(fixture)
  const logOf = (requestId: string) => {
    const log = logs.find(({ request_id }) => request_id === requestId)
    return log && { ...log, other: JSON.parse(log.other) as Record<string, unknown> }
  }
  const table = (of: (one: (typeof requests)[number]) => unknown) =>
    Object.fromEntries(requests.map((one) => [`${one.row}: ${one.pair.name}`, of(one)]))
  const expected = table(({ row, pair }) => rows[row]?.expected(pair))
  expect(table(({ outcome, requestId }) => ({ ...outcome, log: logOf(requestId) }))).toMatchObject(expected)
}

/** The part of a reply that a client has read; `requestId` is set once the reply has begun. */
export interface Reading {
  readonly pair: Pair
  text: string
  requestId: string | undefined
  /** Resolves at the end of the reply. Rejects if the client disconnected. */
  readonly done: Promise<void>
}

/** Sends a request and starts to read its reply. */
export function startReading(fixture: TestRelay, pair: Pair, stream: boolean, signal?: AbortSignal): Reading {
  const read = async () => {
    const response = await send({ ...fixture, ...pair.client.ask(pair.model, stream), ...(signal && { signal }) })
    reading.requestId = response.headers.get('x-oneapi-request-id') ?? ''
    for await (const piece of response.body ?? []) reading.text += Buffer.from(piece).toString('utf8')
  }
  const reading = { pair, text: '', requestId: undefined as string | undefined, done: Promise.resolve() }
  reading.done = read()
  return reading
}

/** Waits until every client has read all of `SAID`. */
export async function untilSaid(readings: readonly Reading[]): Promise<void> {
  await expect.poll(() => readings.every(({ text }) => text.includes('three')), PATIENCE).toBe(true)
}

/** For waits that end early if possible: a busy machine may be slow. */
export const PATIENCE = { timeout: 10_000 }

/** Returns all charges once nothing is held; expects that the customer has paid exactly these. */
export async function exactBooks(fixture: TestRelay, count?: number): Promise<Log[]> {
  if (count !== undefined) await untilCharged(fixture, count)
  await expectNothingHeld(fixture)
  const logs = await expectExactBooks(fixture)
  expect(await fixture.balance(fixture.person)).toBe(BALANCE - logs.reduce((sum, { quota }) => sum + quota, 0))
  return logs
}

/** Returns the expected charge if the gateway counts tokens itself. */
export function counted({ client }: Pick<Pair, 'client'>, content = OUTPUT) {
  const completion = tokensOf(content)
  return {
    prompt_tokens: client.promptTokens,
    completion_tokens: completion,
    quota: PRICE.modelRatio * (client.promptTokens + PRICE.completionRatio * completion),
  }
}

import { EventEmitter } from 'node:events'
import type { ServerResponse } from 'node:http'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { StreamReply } from '../../../server/relay/attempt/open-reply.ts'
import { Meter } from '../../../server/relay/charging/meter.ts'
import { plainUsage } from '../../../server/relay/charging/usage.ts'
import { deliverStream } from '../../../server/relay/delivery/deliver.ts'
import { Interruption } from '../../../server/relay/delivery/interruption.ts'
import { forwardingWriter, rawWriter, type StreamWriter } from '../../../server/relay/delivery/outlets.ts'
import { DIALECTS } from '../../../server/relay/dialects/dialects.ts'
import { endpointReader } from '../../../server/relay/endpoints/reader.ts'
import { contentReader } from '../../../server/relay/providers/gemini/content-reader.ts'
import { chatReader } from '../../../server/relay/providers/openai/chat-reader.ts'
import type { ReplyReader } from '../../../server/relay/providers/provider.ts'
import type { StreamChunk } from '../../../server/relay/transport/chunks.ts'
import { handMadePieces } from '../../support/hand-made-pieces.ts'
import { replyContext } from '../../support/reply-context.ts'
import { sse, streamEvents } from '../../support/wire.ts'

const DRAIN_MS = 300

// By the test's own clock: a busy machine oversleeps.
beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }))
afterEach(() => void vi.useRealTimers())
const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

/** A client that takes everything. */
function client() {
  const written: string[] = []
  const response = Object.assign(new EventEmitter(), {
    destroyed: false,
    writableFinished: false,
    write: (data: Buffer | string) => written.push(data.toString()) > 0,
  })
  return { written, response: response as unknown as ServerResponse }
}

interface Wire {
  reader: ReplyReader
  outlet: StreamWriter
  /** Each comes in a packet of its own; a number is a pause in milliseconds. */
  wire: readonly (Record<string, unknown> | string | number)[]
  choices?: number
  /** What the upstream does after it: ends its body, breaks, or stays silent. */
  after?: 'ends' | 'breaks' | 'stays'
}

async function delivered({ reader, outlet, wire, choices = 1, after = 'ends' }: Wire) {
  const { written, response } = client()
  const interruption = new Interruption(response)
  const meter = new Meter()
  const cut = new Promise<never>((_, reject) => interruption.signal.once('abort', () => reject(new Error('cut'))))
  cut.catch(() => undefined)
  async function* rest(): AsyncGenerator<StreamChunk[]> {
    for (const item of wire) {
      if (typeof item === 'number') await Promise.race([sleep(item), cut])
      else yield streamEvents(sse(item)).map((event) => ({ event, events: reader.event(event) }))
    }
    if (after === 'breaks') throw new Error('reset')
    if (after === 'stays') await cut
    const steps = reader.close?.() ?? []
    if (steps.length) yield [{ event: undefined, events: steps }]
  }
  const pieces = rest()
  const reply: StreamReply = {
    kind: 'stream',
    head: [],
    isWhole: false,
    rest: handMadePieces(async () => (await pieces.next()).value ?? undefined),
    meter,
    firstTokenAt: 0,
    native: true,
    renamesModel: false,
  }
  const options = { outlet, interruption, stallTimeoutMs: 5000, choices, drainMs: DRAIN_MS }
  const delivery = deliverStream(response, reply, { ...options, hold: undefined })
  await vi.advanceTimersByTimeAsync(10 * DRAIN_MS)
  const { end, pendingTail: held } = await delivery
  const before = written.join('')
  return { end, meter, before, text: before + outlet.end(held, plainUsage(1, 1), true) }
}

const gemini = () => ({
  reader: contentReader(),
  outlet: forwardingWriter(DIALECTS.gemini, replyContext({ query: 'alt=sse' })),
})
const openAi = () => ({ reader: chatReader(), outlet: forwardingWriter(DIALECTS['openai-chat'], replyContext()) })

const candidate = (index: number, text: string, finishReason?: string) => ({
  candidates: [{ index, content: { parts: [{ text }] }, ...(finishReason && { finishReason }) }],
})

test('a candidate that ends long before the next one starts does not end the stream', async () => {
  const { end, meter, text } = await delivered({
    ...gemini(),
    choices: 2,
    wire: [candidate(0, 'first', 'STOP'), 2 * DRAIN_MS, candidate(1, 'sec'), candidate(1, 'ond', 'STOP')],
  })

  expect({ end, counted: meter.text }).toEqual({ end: 'complete', counted: 'firstsecond' })
  expect(text).toContain('"ond"')
})

test('a finish reason in every chunk does not end the stream, and only the last chunk waits for the charge', async () => {
  const { end, meter, before, text } = await delivered({
    ...gemini(),
    after: 'stays',
    wire: ['a', 'b', 'c', 'd'].flatMap((content) => [candidate(0, content, 'STOP'), DRAIN_MS / 2]),
  })

  expect({ end, counted: meter.text }).toEqual({ end: 'complete', counted: 'abcd' })
  expect(before).toContain('"c"')
  expect(before).not.toContain('"d"')
  expect(text).toContain('"d"')
})

test('each of several pictures has its own end event, and only the last one ends the stream', async () => {
  const { end, text } = await delivered({
    reader: endpointReader('images'),
    outlet: rawWriter(DIALECTS['openai-chat']),
    choices: 2,
    after: 'stays',
    wire: [
      { type: 'image_generation.completed', b64_json: 'one' },
      2 * DRAIN_MS,
      { type: 'image_generation.completed', b64_json: 'two' },
    ],
  })

  expect(end).toBe('complete')
  expect(text).toContain('two')
})

const choice = (index: number, content: string, finish_reason: string | null = null) => ({
  choices: [{ index, delta: { content }, finish_reason }],
})

test.each(['ends', 'breaks'] as const)(
  'one choice of two that breaks half-way breaks the stream: the body %s',
  async (after) => {
    const { end } = await delivered({
      ...openAi(),
      choices: 2,
      after,
      wire: [choice(0, 'whole', 'stop'), choice(1, 'hal')],
    })

    expect(end).toBe('upstream-broke')
  },
)

test('a stream without its marker is complete if every choice has a finish reason', async () => {
  const { end } = await delivered({
    ...openAi(),
    choices: 2,
    wire: [choice(0, 'one'), choice(1, 'two', 'stop'), choice(0, '', 'stop')],
  })

  expect(end).toBe('complete')
})

import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { Meter } from '../../../server/relay/charging/meter.ts'
import { plainUsage } from '../../../server/relay/charging/usage.ts'
import type { ReplyEvent } from '../../../server/relay/conversation/conversation.ts'
import { deliverStream } from '../../../server/relay/delivery/deliver.ts'
import { Interruption } from '../../../server/relay/delivery/interruption.ts'
import { forwardingWriter, type StreamWriter, translatingWriter } from '../../../server/relay/delivery/outlets.ts'
import { DIALECTS } from '../../../server/relay/dialects/dialects.ts'
import type { StreamChunk } from '../../../server/relay/transport/chunks.ts'
import { CLIENTS, type ClientName } from '../../support/clients.ts'
import { OUTPUT, openPairs, PAIRS, PATIENCE, type Reading, startReading } from '../../support/dialect-pairs.ts'
import { handMadePieces } from '../../support/hand-made-pieces.ts'
import { replyContext } from '../../support/reply-context.ts'
import { streamEvents } from '../../support/wire.ts'
import { WIRES } from '../../support/wires.ts'

const DIALECT_OF = {
  chat: DIALECTS['openai-chat'],
  completions: DIALECTS['openai-completions'],
  responses: DIALECTS['openai-responses'],
  messages: DIALECTS['anthropic-messages'],
  gemini: DIALECTS.gemini,
}
const NAMES = Object.keys(DIALECT_OF) as ClientName[]
const USAGE = plainUsage(8, 3)

/** Serves one stream whose upstream falls silent in the middle until the client has read two pings. Answers all bytes. */
async function servedSlowly(outlet: StreamWriter, [head, tail]: [StreamChunk[], StreamChunk[]]): Promise<string> {
  let pinged = () => {}
  const twoPings = new Promise<void>((resolve) => {
    pinged = resolve
  })
  const batches = [tail]
  const rest = handMadePieces(async () => {
    await twoPings
    return batches.shift()
  })
  const server = createServer(async (_, response) => {
    const nature = { meter: new Meter(), firstTokenAt: 0, native: true, renamesModel: false }
    const delivered = await deliverStream(
      response,
      { kind: 'stream', head, isWhole: false, rest, ...nature },
      {
        outlet,
        interruption: new Interruption(response),
        stallTimeoutMs: 1000,
        hold: undefined,
        pingMs: 5,
      },
    )
    response.end(outlet.end(delivered.pendingTail, USAGE, false))
  }).listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  const response = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  let text = ''
  for await (const piece of response.body ?? []) {
    text += Buffer.from(piece).toString('utf8')
    if (text.split(outlet.ping).length > 2) pinged()
  }
  return text
}

describe('a client of a silent stream gets pings between whole events, and reads the same reply', () => {
  const steps = (...events: ReplyEvent[]): StreamChunk[] => [{ event: undefined, events: events }]
  const query = 'alt=sse'

  test.each(NAMES)('%s, translated', async (name) => {
    const outlet = translatingWriter(DIALECT_OF[name], replyContext({ query }))

    const text = await servedSlowly(outlet, [
      steps({ kind: 'text', text: 'One ' }),
      steps({ kind: 'text', text: 'two three' }, { kind: 'stop', reason: 'stop' }, { kind: 'end' }),
    ])

    expect(CLIENTS[name].read(text, true)).toMatchObject({ content: OUTPUT, ended: true, error: undefined })
  })

  test.each(NAMES)('%s, unchanged from the upstream', async (name) => {
    const outlet = forwardingWriter(DIALECT_OF[name], replyContext({ query }))
    const pieces = (wire: string): StreamChunk[] =>
      streamEvents(wire).map((event) => ({
        event,
        events: event.done ? [{ kind: 'end' }] : [{ kind: 'stop', reason: 'stop' }],
      }))

    const text = await servedSlowly(outlet, [
      pieces(WIRES[name].begin('One ')),
      pieces(WIRES[name].more('two three') + WIRES[name].end()),
    ])

    expect(CLIENTS[name].read(text, true)).toMatchObject({ content: OUTPUT, ended: true, error: undefined })
  })

  test('of Gemini, as one JSON array', async () => {
    const text = await servedSlowly(translatingWriter(DIALECTS.gemini, replyContext()), [
      steps({ kind: 'text', text: 'One ' }),
      steps({ kind: 'text', text: 'two three' }, { kind: 'stop', reason: 'stop' }, { kind: 'end' }),
    ])

    const texts = JSON.parse(text).map((piece: never) => CLIENTS.gemini.read(JSON.stringify(piece), false).content)
    expect(texts.join('')).toBe(OUTPUT)
  })
})

describe('no client gets a complete reply before its charge is committed', () => {
  test.each([
    { how: 'a stream in one piece', stream: true },
    { how: 'a whole answer', stream: false },
  ])('for $how, in any dialect with any upstream', async ({ stream }) => {
    const fixture = await openPairs()
    const { ledger } = fixture.toolkit
    const { settle } = ledger
    let commit = () => {}
    const allowed = new Promise<void>((resolve) => {
      commit = resolve
    })
    const settling = vi.spyOn(ledger, 'settle').mockImplementation(async (...args) => {
      await allowed
      return settle(...args)
    })
    const readings = PAIRS.map((pair) => startReading(fixture, pair, stream))
    await expect.poll(() => settling.mock.calls.length, PATIENCE).toBe(PAIRS.length)

    const isWhole = ({ pair, text }: Reading) => pair.client.read(text, stream).ended
    // Gemini's streams have no end marker, so their text is sent at once.
    const isSentAtOnce = ({ pair }: Reading) => stream && pair.name.endsWith('→ gemini')
    const early = readings.filter((reading) =>
      isSentAtOnce(reading) ? isWhole(reading) : reading.requestId !== undefined,
    )
    expect(early.map(({ pair }) => pair.name)).toEqual([])

    commit()
    await Promise.all(readings.map(({ done }) => done))
    expect(readings.filter(isWhole)).toHaveLength(PAIRS.length)
  })
})

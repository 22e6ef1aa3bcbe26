import { expect, test } from 'vitest'
import { Meter } from '../../server/relay/charging/meter.ts'
import { chatReader } from '../../server/relay/providers/openai/chat-reader.ts'
import type { StreamEvent } from '../../server/relay/transport/events.ts'
import { createSplitter, hasContent } from '../../server/relay/transport/framing.ts'
import { ask, post } from '../support/chat.ts'
import { MODEL } from '../support/gateway.ts'
import { type Exchange, startStream } from '../support/hand-made-upstream.ts'
import { reusedRelay } from '../support/reused.ts'

/*
 * A stream that says nothing, and says it millions of times. Each event must cost next to nothing, and there must be an end: one
 * upstream must not keep the process from the relays of all others.
 */

const relay = reusedRelay()
const NO_BYTES = Buffer.alloc(0)
const PIECE_BYTES = 64 * 1024
const NOISE: Record<string, string> = {
  'line feeds': '\n',
  'carriage returns': '\r',
  'both of them': '\r\n',
  'events without data': 'data:\n\n',
  'events of one letter': 'a\n\n',
  'events that are no JSON': 'data: {x}\n\n',
}

/** CPU time of this process, which does not depend on other work of the machine. */
const cpuMsSince = (began: NodeJS.CpuUsage): number => process.cpuUsage(began).user / 1000

/** Sends the same piece for ever, as fast as it is taken. */
function flood({ response }: Exchange, piece: Buffer): void {
  const next = () => {
    if (response.destroyed) return
    if (response.write(piece)) setImmediate(next)
    else response.once('drain', next)
  }
  next()
}

test.each(Object.entries(NOISE))(
  'an endless stream of %s is aborted, and others are served meanwhile',
  async (_, unit) => {
    const piece = Buffer.from(unit.repeat(PIECE_BYTES / unit.length))
    const { url, key } = await relay((exchange) => {
      startStream(exchange)
      flood(exchange, piece)
    })
    let most = 0
    let isOver = false
    const noisy = post({ url, key, body: ask(MODEL, { stream: true }) }).finally(() => {
      isOver = true
    })

    while (!isOver) {
      const began = process.cpuUsage()
      expect((await fetch(`${url}/healthz`)).status).toBe(200)
      most = Math.max(most, cpuMsSince(began))
    }

    expect((await noisy).status).toBe(502)
    expect(most).toBeLessThan(1000)
  },
)

test('a stream of a hundred thousand choices is read in linear time', () => {
  const reader = chatReader()
  const meter = new Meter()
  const began = process.cpuUsage()
  for (let index = 0; index < 100_000; index++) {
    const chunk = { choices: [{ index, delta: { content: 'a' } }] }
    meter.read(reader.event({ payload: chunk, done: false, name: '', bytes: NO_BYTES, data: '' }))
  }
  expect(meter.textLength).toBe(100_000)
  expect(cpuMsSince(began)).toBeLessThan(2000)
})

test.each(['sse', 'ndjson'] as const)('blank lines have little cost: %s', (framing) => {
  const splitter = createSplitter({ framing })
  const piece = Buffer.alloc(6 * PIECE_BYTES, '\n')
  const began = process.cpuUsage()

  const events: StreamEvent[] = []
  splitter.push(piece, { take: (event) => events.push(event), takeRepetitions: (_, start) => start })

  expect(events.filter((event) => hasContent(event, {}))).toEqual([])
  // It was more than two seconds.
  expect(cpuMsSince(began)).toBeLessThan(1000)
})

import { EventEmitter } from 'node:events'
import type { ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { Meter } from '../../../server/relay/charging/meter.ts'
import { hiddenTokens } from '../../../server/relay/charging/settle.ts'
import { deliverStream } from '../../../server/relay/delivery/deliver.ts'
import { Interruption } from '../../../server/relay/delivery/interruption.ts'
import { expectExactBooks, expectNothingHeld, otherOf, untilCharged } from '../../support/books.ts'
import { ask, send } from '../../support/chat.ts'
import { countInEarnest } from '../../support/counting.ts'
import { MODEL, openTestRelay, priceOf, type TestRelay } from '../../support/gateway.ts'
import { handMadePieces } from '../../support/hand-made-pieces.ts'
import {
  DONE,
  type Exchange,
  event,
  say,
  startStream,
  stopChunk,
  usage,
  usageChunk,
} from '../../support/hand-made-upstream.ts'

countInEarnest()

const CHUNKS = 100
const SEEN = 95
/** Much more than the chunks show: the rest is reasoning. */
const REPORTED = usage(11, 4000)

/** A stream that waits after some of its chunks until it is told to go on. */
function pausing() {
  let resume = () => {}
  const resumed = new Promise<void>((resolve) => {
    resume = resolve
  })
  const reply = async (exchange: Exchange) => {
    const { response } = exchange
    startStream(exchange)
    for (let at = 0; at < SEEN; at++) response.write(event(say('word ')))
    await resumed
    for (let at = SEEN; at < CHUNKS; at++) response.write(event(say('word ')))
    response.end([stopChunk(), usageChunk(REPORTED)].map(event).join('') + DONE)
  }
  return { reply, resume }
}

/** Reads until so much was said, and disconnects. */
async function disconnectAfter(fixture: TestRelay, words: number) {
  const leaving = new AbortController()
  const response = await send({ ...fixture, body: ask(MODEL, { stream: true }), signal: leaving.signal })
  const reader = response.body?.getReader()
  let text = ''
  while (reader && text.split('word ').length <= words)
    text += Buffer.from((await reader.read()).value ?? []).toString()
  leaving.abort()
  // Until the gateway has noticed.
  await sleep(200)
}

async function openThinking(reply: (exchange: Exchange) => unknown): Promise<TestRelay> {
  const fixture = await openTestRelay(reply)
  // Unknown names may hide what they charge for.
  await fixture.toolkit.options.set(fixture.root, 'PlainModels', '')
  return fixture
}

async function theCharge(fixture: TestRelay) {
  await untilCharged(fixture, 1)
  await expectNothingHeld(fixture)
  const [log] = await expectExactBooks(fixture)
  if (!log) throw new Error('There is no charge')
  return { ...log, other: otherOf(log) }
}

test('a client that disconnects after 95 of 100 chunks pays for the whole reply', async () => {
  const { reply, resume } = pausing()
  const fixture = await openThinking(reply)

  await disconnectAfter(fixture, SEEN)
  resume()

  const { other, ...log } = await theCharge(fixture)
  expect(log).toMatchObject({ quota: priceOf(11, 4000), prompt_tokens: 11, completion_tokens: 4000 })
  expect(other).toMatchObject({ incomplete: true, end_reason: 'client-gone' })
  expect(other).not.toHaveProperty('estimated')
  expect(fixture.upstream.seen[0]?.whole).toBe(true)
})

test('an endless upstream is read no further than the hold covers', async () => {
  const fixture = await openThinking((exchange) => {
    const { response } = exchange
    startStream(exchange)
    const timer = setInterval(() => response.write(event(say('word '.repeat(500)))), 5)
    response.once('close', () => clearInterval(timer))
  })

  await disconnectAfter(fixture, 1)

  const { quota, other } = await theCharge(fixture)
  expect(fixture.upstream.seen[0]?.whole).toBe(false)
  expect(other).toMatchObject({ incomplete: true, end_reason: 'client-gone', estimated: true })
  // What came in the last packets is counted too.
  expect(quota).toBeLessThan(1.5 * Number(other.hold))
})

test('a stopping gateway does not wait for a stream whose client disconnected', async () => {
  const { reply } = pausing()
  const fixture = await openThinking(reply)
  await disconnectAfter(fixture, SEEN)

  await fixture.gateway.close()

  expect((await theCharge(fixture)).other).toMatchObject({ end_reason: 'client-gone', estimated: true })
})

test('with the option off the upstream is aborted, and hidden reasoning is charged by time', async () => {
  const { reply } = pausing()
  const fixture = await openThinking(reply)
  await fixture.toolkit.options.set(fixture.root, 'CompleteAfterDisconnect', 'false')
  const startedAt = Date.now()

  await disconnectAfter(fixture, SEEN)

  const { completion_tokens, other } = await theCharge(fixture)
  const elapsedTokens = ((Date.now() - startedAt) / 1000) * 100
  expect(fixture.upstream.seen[0]?.whole).toBe(false)
  expect(other).toMatchObject({ incomplete: true, end_reason: 'client-gone', estimated: true })
  expect(completion_tokens).toBeGreaterThanOrEqual(SEEN)
  expect(completion_tokens).toBeLessThanOrEqual(Math.max(SEEN + 2, Math.ceil(elapsedTokens)))
})

test('hidden reasoning is the share of the limit for the elapsed time, minus the visible output', () => {
  const relay = { hidesReasoning: true, coveredTokens: 1000, startedAt: 0 }
  expect(hiddenTokens(relay, { shown: 20, now: 3000 })).toBe(280)
  expect(hiddenTokens(relay, { shown: 500, now: 3000 })).toBe(0)
  expect(hiddenTokens(relay, { shown: 20, now: 60_000 })).toBe(980)
  expect(hiddenTokens({ ...relay, hidesReasoning: false }, { shown: 20, now: 60_000 })).toBe(0)
})

test('a silent upstream is awaited up to the configured time', async () => {
  const response = Object.assign(new EventEmitter(), {
    destroyed: false,
    writableFinished: false,
    writableNeedDrain: false,
    write: () => true,
  }) as unknown as ServerResponse
  const interruption = new Interruption(response)
  const aborted = new Promise<never>((_, reject) => {
    interruption.signal.once('abort', () => reject(new Error('aborted')))
  })
  aborted.catch(() => {})
  const rest = handMadePieces(() => aborted)
  const outlet = { write: () => '', isLast: () => false, ping: '' }

  const delivering = deliverStream(
    response,
    {
      kind: 'stream',
      head: [],
      isWhole: false,
      rest,
      meter: new Meter(),
      firstTokenAt: 0,
      native: true,
      renamesModel: false,
    },
    { outlet, interruption, stallTimeoutMs: 1000, hold: undefined, completes: true, readOnMs: 50 },
  )
  response.emit('close')

  expect(await delivering).toMatchObject({ end: 'client-gone' })
  expect((await delivering).isRead).not.toBe(true)
})

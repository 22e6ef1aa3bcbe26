import { expect, test } from 'vitest'
import { expectExactBooks, expectNothingHeld, otherOf } from '../../support/books.ts'
import { type Answer, ask } from '../../support/chat.ts'
import { MODEL, openTestRelay, PRICE } from '../../support/gateway.ts'
import {
  type Exchange,
  event,
  say,
  sendStream,
  startStream,
  stopChunk,
  usage,
  usageChunk,
} from '../../support/hand-made-upstream.ts'

/** What one completion token costs. */
const TOKEN = PRICE.modelRatio * PRICE.completionRatio
const WORDS = 'word '.repeat(40)

/** Streams pieces until the client disconnects; slowly, because output is lost while a busy machine raises a hold. */
const talkative =
  (piece: string, everyMs = 40) =>
  (exchange: Exchange) => {
    const { response } = exchange
    startStream(exchange)
    const timer = setInterval(() => response.write(event(say(piece))), everyMs)
    response.once('close', () => clearInterval(timer))
  }

/** Characters for tokens: the estimate that a hold goes by, generously. */
const affordable = (quota: number) => (quota / TOKEN) * 8

async function expectCut(answer: Answer, quota: number) {
  expect(answer).toMatchObject({ status: 200, complete: false })
  expect(answer.events.at(-1)?.error).toMatchObject({ code: 'insufficient_user_quota', type: 'gateway_error' })
  expect(answer.content.length).toBeLessThan(affordable(quota))
}

test('a stream without max_tokens is stopped when the balance is exhausted, and its output is charged', async () => {
  const quota = 3000 * TOKEN
  const fixture = await openTestRelay(talkative(WORDS), { user: { quota } })

  const answer = await fixture.chat(ask(MODEL, { stream: true }))

  await expectCut(answer, quota)
  await expect.poll(() => fixture.upstream.seen[0]?.whole).toBe(false)
  await expectNothingHeld(fixture)
  const [log] = await expectExactBooks(fixture)
  expect(log && otherOf(log)).toMatchObject({ incomplete: true, end_reason: 'quota' })
  // A step of a thousand tokens is what may be lost at the end; more than that was held before it was said.
  expect(await fixture.balance(fixture.person)).toBeGreaterThan(-1000 * TOKEN)
  expect(await fixture.balance(fixture.person)).toBeLessThan(2000 * TOKEN)
})

test('large chunks cannot exceed the balance: the hold grows by the output', async () => {
  const quota = 4000 * TOKEN
  const fixture = await openTestRelay(talkative('word '.repeat(5000), 2), { user: { quota } })

  const answer = await fixture.chat(ask(MODEL, { stream: true }))

  expect(answer.events.at(-1)?.error).toMatchObject({ code: 'insufficient_user_quota', type: 'gateway_error' })
  await expectNothingHeld(fixture)
  await expectExactBooks(fixture)
  // Two of those pieces, at most, for which nothing was held: five thousand words each.
  expect(await fixture.balance(fixture.person)).toBeGreaterThan(-12_000 * TOKEN)
})

test('a token budget stops a stream, too, though its owner has a balance', async () => {
  const budget = 3000 * TOKEN
  const token = { unlimited_quota: false, remain_quota: budget }
  const fixture = await openTestRelay(talkative(WORDS), { user: { quota: 1e9 }, token })

  const answer = await fixture.chat(ask(MODEL, { stream: true }))

  await expectCut(answer, budget)
  await expectNothingHeld(fixture)
  await expectExactBooks(fixture)
})

test('two streams of one user share the balance: together they cannot exceed it', async () => {
  const quota = 6000 * TOKEN
  const fixture = await openTestRelay(talkative(WORDS), { user: { quota } })

  const answers = await Promise.all([1, 2].map(() => fixture.chat(ask(MODEL, { stream: true }))))

  expect(answers.every(({ complete }) => !complete)).toBe(true)
  await expectNothingHeld(fixture)
  await expectExactBooks(fixture)
  expect(await fixture.balance(fixture.person)).toBeGreaterThan(-2000 * TOKEN)
})

test('a long stream covered by the balance is not stopped, and its hold is extended', async () => {
  const pieces = Array.from({ length: 100 }, () => say(WORDS))
  const fixture = await openTestRelay((exchange) =>
    sendStream(exchange, [...pieces, stopChunk(), usageChunk(usage(9, 4000))]),
  )

  const answer = await fixture.chat(ask(MODEL, { stream: true }))

  expect(answer).toMatchObject({ complete: true, content: WORDS.repeat(100) })
  await expectNothingHeld(fixture)
  const [log] = await expectExactBooks(fixture)
  expect(log && otherOf(log).hold).toBeGreaterThan(4000 * TOKEN)
})

test('a stream that is read as a whole ends with length when the balance is exhausted, and its output is charged', async () => {
  const quota = 3000 * TOKEN
  const fixture = await openTestRelay(talkative(WORDS), { user: { quota } })

  const answer = await fixture.chat(ask(MODEL))

  expect(answer).toMatchObject({ status: 200, json: { choices: [{ finish_reason: 'length' }] } })
  expect(answer.content.length).toBeLessThan(affordable(quota))
  await expect.poll(() => fixture.upstream.seen[0]?.whole).toBe(false)
  await expectNothingHeld(fixture)
  const [log] = await expectExactBooks(fixture)
  expect(log && otherOf(log)).toMatchObject({ estimated: true })
  expect(await fixture.balance(fixture.person)).toBeGreaterThan(-1000 * TOKEN)
  expect(await fixture.balance(fixture.person)).toBeLessThan(2000 * TOKEN)
})

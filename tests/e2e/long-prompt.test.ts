import { expect, test } from 'vitest'
import { charges, expectExactBooks } from '../support/books.ts'
import { ask, post } from '../support/chat.ts'
import { promptTokensOf } from '../support/count.ts'
import { customer, MODEL, setPrices } from '../support/gateway.ts'
import { completion, sendJson, startUpstream, usage } from '../support/hand-made-upstream.ts'
import { startServer } from '../support/server-process.ts'
import { openTestToolkit } from '../support/toolkit.ts'

const PROMPT_BYTES = 200_000
/** Generous: it is some milliseconds. Counted on the main thread it would be the whole time of counting. */
const SMALL_MS = 500

/** English words and numbers, none like the one before: what a real tokenizer has to work for. */
function longText(): string {
  const words: string[] = []
  for (let at = 0, size = 0; size < PROMPT_BYTES; at++) {
    const word = `word${(at * 2_654_435_761) % 1_000_003}`
    words.push(word)
    size += word.length + 1
  }
  return words.join(' ')
}

test('while a prompt of 200 kB is counted, fifty small requests finish without delay', async () => {
  const fixture = await openTestToolkit()
  const upstream = await startUpstream((exchange) => {
    const isLong = exchange.raw.length > PROMPT_BYTES
    sendJson(exchange, isLong ? completion('read') : completion('ok', usage(5, 5)))
  })
  await setPrices(fixture)
  await fixture.channel({ base_url: upstream.url, models: MODEL })
  const { key } = await customer(fixture, { user: { quota: 1e9 } })
  const { url } = await startServer(fixture)
  const small = () => post({ url, key, body: ask(MODEL) })
  expect((await small()).status).toBe(200)
  const text = longText()
  let counting = true
  const long = post({ url, key, body: { model: MODEL, messages: [{ role: 'user', content: text }] } }).finally(() => {
    counting = false
  })
  await expect.poll(() => upstream.seen.length, { interval: 5 }).toBe(2)

  const took: number[] = []
  for (let turn = 0; turn < 50; turn++) {
    const startedAt = performance.now()
    expect((await small()).status).toBe(200)
    if (counting) took.push(performance.now() - startedAt)
  }

  expect(took.length).toBeGreaterThan(0)
  expect(Math.max(...took)).toBeLessThan(SMALL_MS)
  expect((await long).status).toBe(200)
  const counted = (await charges(fixture)).find(({ prompt_tokens }) => prompt_tokens > 1000)
  // It is counted in slices, and each cut costs a token at most.
  expect(Math.abs((counted?.prompt_tokens ?? 0) - promptTokensOf(text))).toBeLessThanOrEqual(text.length / 4000)
  expect(await expectExactBooks(fixture)).toHaveLength(52)
})

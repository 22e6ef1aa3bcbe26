import { expect, test } from 'vitest'
import { expectExactBooks } from '../support/books.ts'
import { ask } from '../support/chat.ts'
import { MODEL } from '../support/gateway.ts'
import { completion, sendJson } from '../support/hand-made-upstream.ts'
import { reusedRelay } from '../support/reused.ts'

const openRelay = reusedRelay()

/*
 * An attack on the operator's money, or on a user's: an upstream reports a usage that cannot be.
 */

const TEXT = 'a reply of some words that are counted'

test.each([
  ['a negative prompt', '{"prompt_tokens":-1000000,"completion_tokens":5}', 5],
  ['no prompt', '{"completion_tokens":5}', 5],
  ['a prompt of null', '{"prompt_tokens":null,"completion_tokens":5}', 5],
  ['a prompt of zero', '{"prompt_tokens":0,"completion_tokens":5}', 5],
  ['a prompt below a prototype', '{"__proto__":{"prompt_tokens":5},"completion_tokens":5}', 5],
  ['a negative output', '{"prompt_tokens":5,"completion_tokens":-5}', undefined],
  ['endless numbers', '{"prompt_tokens":1e999,"completion_tokens":1e999}', undefined],
  ['more than any model reads', '{"prompt_tokens":100000001,"completion_tokens":5}', undefined],
  ['texts', '{"prompt_tokens":"5","completion_tokens":"5"}', undefined],
])('is counted here in its place: %s', async (_, reported, output) => {
  const reply = JSON.stringify(completion(TEXT, null)).replace('"usage":null', `"usage":${reported}`)
  const fixture = await openRelay((exchange) => sendJson(exchange, reply))

  expect((await fixture.chat(ask(MODEL))).status).toBe(200)

  const [row] = await expectExactBooks(fixture)
  expect(row?.prompt_tokens).toBeGreaterThanOrEqual(5)
  expect(row?.prompt_tokens).toBeLessThan(20)
  if (output === undefined) expect(row?.completion_tokens).toBeGreaterThanOrEqual(8)
  else expect(row?.completion_tokens).toBe(output)
})

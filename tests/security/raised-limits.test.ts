import { expect, test } from 'vitest'
import { expectExactBooks, expectNothingHeld } from '../support/books.ts'
import { ask, post } from '../support/chat.ts'
import { MODEL, openTestRelay } from '../support/gateway.ts'
import { type Exchange, sendJson } from '../support/hand-made-upstream.ts'

/*
 * An attack on the balance: a limit of one token is held, and the gateway itself raises it to what the upstream accepts.
 */

const QUOTA = 50_000
const CALLS = 20
const mapped = (upstreamModel: string) => ({ model_mapping: JSON.stringify({ [MODEL]: upstreamModel }) })
const CLAUDE = { type: 14, ...mapped('claude-sonnet-4-20250514') }
const NAMED_THINKING = { type: 14, ...mapped('claude-sonnet-4-20250514-thinking') }
const RESPONSES = { setting: JSON.stringify({ dialects: ['openai-responses'] }) }

/** Writes as much as it is told it may. */
function whole(exchange: Exchange): void {
  const { max_tokens, max_output_tokens } = exchange.body
  const usage = { input_tokens: 8, output_tokens: max_tokens ?? max_output_tokens }
  if (exchange.path.includes('messages')) {
    sendJson(exchange, { type: 'message', role: 'assistant', content: [{ type: 'text', text: 'Done' }], usage })
    return
  }
  const message = { id: 'msg_1', type: 'message', content: [{ type: 'output_text', text: 'Done' }] }
  sendJson(exchange, { id: 'resp_1', status: 'completed', output: [message], usage })
}

test.each([
  ['thoughts of Claude', CLAUDE, ask(MODEL, { max_tokens: 1, reasoning_effort: 'high' })],
  ['thoughts of Claude, without a limit', CLAUDE, ask(MODEL, { reasoning_effort: 'low' })],
  ['thoughts by the name of the model', NAMED_THINKING, ask(MODEL, { max_tokens: 1 })],
  ['the shortest reply of Responses', RESPONSES, ask(MODEL, { max_tokens: 1 })],
])('a raised limit is held: %s', async (_, channel, body) => {
  const fixture = await openTestRelay(whole, { channel, user: { quota: QUOTA } })

  const answers = await Promise.all(Array.from({ length: CALLS }, () => fixture.chat(body)))

  expect(answers.filter(({ status }) => status === 200).length).toBeGreaterThan(0)
  expect(answers.every(({ status }) => status === 200 || status === 403)).toBe(true)
  await expectNothingHeld(fixture)
  const logs = await expectExactBooks(fixture)
  expect(logs.reduce((sum, { quota }) => sum + quota, 0)).toBeLessThanOrEqual(QUOTA)
  for (const { quota, other } of logs) expect(JSON.parse(other).hold ?? 0).toBeGreaterThanOrEqual(quota)
})

test('a raised limit is held for a client of Messages, too', async () => {
  const fixture = await openTestRelay(whole, { channel: NAMED_THINKING, user: { quota: QUOTA } })
  const body = { model: MODEL, max_tokens: 1, messages: [{ role: 'user', content: 'hello' }] }
  await Promise.all(Array.from({ length: CALLS }, () => post({ ...fixture, path: '/v1/messages', body })))
  const logs = await expectExactBooks(fixture)
  expect(logs.reduce((sum, { quota }) => sum + quota, 0)).toBeLessThanOrEqual(QUOTA)
})

import { expect, test } from 'vitest'
import { expectExactBooks, expectNothingHeld } from '../../support/books.ts'
import { ask } from '../../support/chat.ts'
import { MODEL, type RelayOptions } from '../../support/gateway.ts'
import { completion, sendJson, usage } from '../../support/hand-made-upstream.ts'
import { reusedRelay } from '../../support/reused.ts'

const open = reusedRelay()
const RESPONSES = { setting: JSON.stringify({ dialects: ['openai-responses'] }) }
const CHANNELS: [string, NonNullable<RelayOptions['channel']>][] = [
  ['Anthropic', { type: 14 }],
  ['Gemini', { type: 24 }],
  ['Cohere', { type: 34 }],
  ['Responses', RESPONSES],
]

test.each(CHANNELS)(
  'a logit bias is rejected by its name where %s has none, and sent where it can be',
  async (_, channel) => {
    const fixture = await open((exchange) => sendJson(exchange, completion('hi', usage(9, 10))), { channel })
    const biased = ask(MODEL, { logit_bias: { 1734: -100 } })
    const refused = await fixture.chat(biased)
    expect(refused).toMatchObject({ status: 400, json: { error: { message: expect.stringContaining('logit_bias') } } })
    expect(fixture.upstream.seen).toEqual([])
    await expectNothingHeld(fixture)

    // Another channel that supports it serves the request.
    await fixture.channel({ base_url: fixture.upstream.url, models: MODEL, key: 'sk-second' })
    expect((await fixture.chat(biased)).status).toBe(200)
    expect(fixture.upstream.seen.map(({ body }) => body.logit_bias)).toEqual([{ 1734: -100 }])
    expect(await expectExactBooks(fixture)).toHaveLength(1)
  },
)

test.each(CHANNELS)('an empty logit bias is left out for %s', async (_, channel) => {
  const fixture = await open((exchange) => sendJson(exchange, { error: { message: 'enough' } }, 400), { channel })
  for (const logit_bias of [{}, null, { 5: 0 }]) {
    expect((await fixture.chat(ask(MODEL, { logit_bias }))).json.error?.message).toContain('enough')
  }
  expect(fixture.upstream.seen).toHaveLength(3)
  for (const { body } of fixture.upstream.seen) expect(body).not.toHaveProperty('logit_bias')
})

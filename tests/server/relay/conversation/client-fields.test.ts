import { expect, test } from 'vitest'
import { post } from '../../../support/chat.ts'
import { CHANNEL_KEY, customer, MODEL, openTestGateway, setPrices } from '../../../support/gateway.ts'
import { sendJson, startUpstream } from '../../../support/hand-made-upstream.ts'

const HELLO = { model: MODEL, messages: [{ role: 'user', content: 'hi' }], max_tokens: 5 }

test('a rejected field of a client is the param of its error', async () => {
  const fixture = await openTestGateway()
  await setPrices(fixture)
  const { key } = await customer(fixture, { user: { quota: 1_000_000 } })
  const { url } = await startUpstream((exchange) => sendJson(exchange, {}))
  await fixture.channel({ type: 14, base_url: url, models: MODEL, key: CHANNEL_KEY })
  const rejected = {
    logprobs: true,
    logit_bias: { 50256: -100 },
    modalities: ['text', 'audio'],
    n: 200,
    stream: 'yes',
    messages: [],
    tool_choice: { type: 'function', function: { name: 'absent' } },
  }

  for (const [field, value] of Object.entries(rejected)) {
    const { status, text } = await post({ url: fixture.url, key, body: { ...HELLO, [field]: value } })
    expect([status, JSON.parse(text).error.param], text).toEqual([400, field])
  }
})

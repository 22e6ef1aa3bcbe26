import { describe, expect, test } from 'vitest'
import { ask, post } from '../../support/chat.ts'
import { CHANNEL_KEY, customer, MODEL, setPrices } from '../../support/gateway.ts'
import { type Exchange, sendJson, startUpstream } from '../../support/hand-made-upstream.ts'
import { reused } from '../../support/reused.ts'

const openGateway = reused()

const FAMILIES = { openai: 1, anthropic: 14, gemini: 24, cohere: 34 }
const BODIES = [
  { error: { message: 'out of order', code: 503 } },
  { error: 'out of order' },
  { id: 'reply-1', error: 'out of order' },
  { code: 50_000, message: 'out of order' },
  { success: false, message: 'out of order' },
]

describe.each(Object.entries(FAMILIES))('an error object with status 200, of family %s', (_, type) => {
  test.each(BODIES.map((body) => [JSON.stringify(body), body] as const))(
    '%s is a failure, whole and streamed, and costs nothing',
    async (_text, body) => {
      const fixture = await openGateway()
      await setPrices(fixture)
      const { key, person } = await customer(fixture)
      const { url, seen } = await startUpstream((exchange: Exchange) => sendJson(exchange, body))
      await fixture.channel({ type, base_url: url, models: MODEL, key: CHANNEL_KEY })

      for (const stream of [false, true]) {
        const reply = await post({ url: fixture.url, key, body: { ...ask(MODEL), stream } })
        expect(reply.status).toBeGreaterThanOrEqual(400)
        expect(reply.json.error?.message).toContain('out of order')
      }
      expect(seen).toHaveLength(2)
      expect(await fixture.toolkit.accounts.get(fixture.root, person.id)).toMatchObject({ used_quota: 0 })
    },
  )
})

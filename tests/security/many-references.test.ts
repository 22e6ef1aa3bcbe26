import { expect, test } from 'vitest'
import { ask, post } from '../support/chat.ts'
import { MODEL, openTestRelay } from '../support/gateway.ts'
import { sendJson } from '../support/hand-made-upstream.ts'

/*
 * An attack on the database and the CPU: one small request names so many objects or tools that looking each up keeps the
 * gateway busy, before anything is held.
 */

const COUNT = 5000
const ids = Array.from({ length: COUNT }, (_, at) => `file-${at}`)
const items = ids.map((id) => ({ type: 'item_reference', id }))
const RESPONSES = { setting: JSON.stringify({ dialects: ['openai-responses', 'openai-chat'] }) }

test.each([
  ['files in a list', '/v1/chat/completions', ask(MODEL, { file_ids: ids })],
  [
    'files in one text',
    '/v1/chat/completions',
    { ...ask(MODEL), messages: [{ role: 'system', content: `fileid://${ids}` }] },
  ],
  ['items', '/v1/responses', { model: MODEL, input: items }],
  ['tools', '/v1/responses', { model: MODEL, input: 'x', tools: ids.map(() => ({ type: 'web_search' })) }],
])('too many are rejected before any lookup: %s', async (_, path, body) => {
  const fixture = await openTestRelay((exchange) => sendJson(exchange, {}, 418), { channel: RESPONSES })
  const { storedObjects, pricing } = fixture.toolkit
  let lookups = 0
  const { find } = storedObjects
  const { toolPrice } = pricing
  storedObjects.find = (...args) => {
    lookups += 1
    return find(...args)
  }
  pricing.toolPrice = (...args) => {
    lookups += 1
    return toolPrice(...args)
  }
  const refused = await post({ ...fixture, path, body })
  expect([refused.status, refused.json.error?.code]).toEqual([400, 'request_malformed'])
  expect(lookups).toBe(0)
})

import { expect, test } from 'vitest'
import { ask } from '../support/chat.ts'
import { CHANNEL_KEY, MODEL } from '../support/gateway.ts'
import { completion, onlyRequest, sendJson, usage } from '../support/hand-made-upstream.ts'
import { reusedRelay } from '../support/reused.ts'

/*
 * Headers by which a client would choose a payer, a paid plugin, another kind of reply, or tell the upstream who it is.
 */

const open = reusedRelay()
const WITHHELD = {
  'x-dashscope-plugin': '{"search":{}}',
  'x-dashscope-async': 'enable',
  'x-dashscope-workspace': 'other',
  'openai-organization': 'other',
  'openai-project': 'other',
  'x-goog-user-project': 'other',
  'x-goog-api-key': 'other',
  'x-api-key': 'other',
  'api-key': 'other',
  'x-amz-security-token': 'other',
  'x-http-method-override': 'DELETE',
  'x-original-url': '/v1/files',
  'x-forwarded-for': '203.0.113.7',
  'x-real-ip': '203.0.113.7',
  forwarded: 'for=203.0.113.7',
  cookie: 'session=1',
  'proxy-authorization': 'Basic eDp5',
  'tollgate-user': '1',
}

test("no client header is forwarded that changes the upstream's behavior or price", async () => {
  const relay = await open((exchange) => sendJson(exchange, completion('Hello.', usage(9, 3))))

  expect((await relay.chat(ask(MODEL), { headers: { ...WITHHELD, 'x-dashscope-sse': 'enable' } })).status).toBe(200)

  const { headers } = onlyRequest(relay.upstream)
  expect(Object.keys(headers).filter((name) => Object.hasOwn(WITHHELD, name))).toEqual([])
  expect(headers).toMatchObject({ authorization: `Bearer ${CHANNEL_KEY}`, 'x-dashscope-sse': 'enable' })
})

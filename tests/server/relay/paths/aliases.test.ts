import { expect, test } from 'vitest'
import { servingUrl } from '../../../../server/relay/paths/aliases.ts'
import { charges } from '../../../support/books.ts'
import { ask } from '../../../support/chat.ts'
import { MODEL, openTestRelay } from '../../../support/gateway.ts'
import { completion, onlyRequest, sendJson, usage } from '../../../support/hand-made-upstream.ts'

test.each([
  ['/chat/completions?x=1', '/v1/chat/completions?x=1'],
  ['/v1//chat/completions', '/v1/chat/completions'],
  ['//v1/messages?a=//b', '/v1/messages?a=//b'],
  ['/v1/v1/embeddings', '/v1/embeddings'],
  ['/rerank', '/v1/rerank'],
  ['/v1/reranking', '/v1/rerank'],
  ['/v1/rerank', '/v1/rerank'],
  ['/v1beta/openai/chat/completions', '/v1/chat/completions'],
  ['/v1beta/openai/models', '/v1beta/openai/models'],
  ['/openai/v1/responses', '/v1/responses'],
  ['/anthropic/v1/messages/count_tokens', '/v1/messages/count_tokens'],
  ['/anthropic/messages', '/v1/messages'],
  ['/anthropic/messagesx', '/anthropic/messagesx'],
  ['/openai/chat/completions', '/v1/chat/completions'],
  ['/openai/deployments/m/chat/completions', '/openai/deployments/m/chat/completions'],
  ['/models', '/v1/models'],
  ['/modelsx', '/modelsx'],
  ['/api//user/self', '/api//user/self'],
  ['//api/user/self', '//api/user/self'],
])('%s is served as %s', (url, served) => {
  expect(servingUrl({ url, method: 'POST', headers: {} })).toBe(served)
})

test('a page requested by a browser keeps its address', () => {
  const headers = { accept: 'text/html,*/*' }

  expect(servingUrl({ url: '/models', method: 'GET', headers })).toBe('/models')
})

test("an Azure client gets the deployment of its path, with the key in Azure's header, and is charged", async () => {
  const fixture = await openTestRelay((exchange) => sendJson(exchange, completion('ok', usage(5, 7))))

  const answer = await fetch(`${fixture.url}/openai/deployments/${MODEL}/chat/completions?api-version=2024-10-21`, {
    method: 'POST',
    headers: { 'api-key': fixture.key, 'content-type': 'application/json' },
    body: JSON.stringify(ask('another-model')),
  })

  expect(answer.status).toBe(200)
  expect(onlyRequest(fixture.upstream)).toMatchObject({
    path: '/v1/chat/completions?api-version=2024-10-21',
    body: { model: MODEL },
  })
  // 3 × (5 + 7 × 7)
  expect(await charges(fixture)).toMatchObject([{ quota: 162, model_name: MODEL }])
})

test('an Anthropic reply has the request id in the header that its clients read', async () => {
  const fixture = await openTestRelay((exchange) => sendJson(exchange, completion('ok', usage(5, 7))))

  const answer = await fetch(`${fixture.url}/anthropic/v1/messages`, {
    method: 'POST',
    headers: { 'x-api-key': fixture.key, 'anthropic-version': '2023-06-01', 'content-type': 'application/json' },
    body: JSON.stringify({ ...ask(MODEL), max_tokens: 9 }),
  })

  expect(answer.status).toBe(200)
  expect(answer.headers.get('request-id')).toBe(answer.headers.get('x-request-id'))
})

test("Anthropic's base URL gives its lists and errors without its headers", async () => {
  const { url, key } = await openTestRelay((exchange) => sendJson(exchange, completion('ok', usage(5, 7))))
  const read = async (authorization: string) => {
    const reply = await fetch(`${url}/anthropic/v1/models?limit=5`, { headers: { authorization } })
    return { status: reply.status, json: await reply.json() }
  }

  expect(await read(`Bearer ${key}`)).toMatchObject({ status: 200, json: { data: [{ type: 'model', id: MODEL }] } })
  expect(await read('Bearer sk-wrong')).toMatchObject({
    status: 401,
    json: { type: 'error', error: { type: 'authentication_error' } },
  })
})

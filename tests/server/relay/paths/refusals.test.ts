import { expect, test } from 'vitest'
import { ask } from '../../../support/chat.ts'
import { MODEL, openTestRelay } from '../../../support/gateway.ts'
import { completion, sendJson, usage } from '../../../support/hand-made-upstream.ts'

interface Refused {
  method?: 'GET' | 'POST'
  path: string
  key?: string
  body?: string
  status: number
  in: 'anthropic' | 'gemini' | 'openai'
}

const SHAPES: Record<Refused['in'], (status: number) => object> = {
  anthropic: () => ({ type: 'error', error: { type: expect.any(String), message: expect.any(String) } }),
  gemini: (code) => ({ error: { code, status: expect.any(String), message: expect.any(String) } }),
  openai: () => ({ error: { message: expect.any(String), type: expect.any(String) } }),
}

const LARGE = JSON.stringify({ ...ask(MODEL), max_tokens: 9, contents: [{}], padding: 'x'.repeat(1_100_000) })
const UNKNOWN_MODEL = JSON.stringify({
  ...ask('no-such-model'),
  max_tokens: 9,
  contents: [{ parts: [{ text: 'a' }] }],
})
const generate = `/v1beta/models/${MODEL}`

const REFUSED: readonly Refused[] = [
  ...(['/v1/messages', '/v1/messages/count_tokens'] as const).flatMap((path): Refused[] => [
    { path, key: 'sk-wrong', status: 401, in: 'anthropic' },
    { path, body: UNKNOWN_MODEL, status: 404, in: 'anthropic' },
    { path, body: '{', status: 400, in: 'anthropic' },
    { path, body: LARGE, status: 413, in: 'anthropic' },
  ]),
  ...['generateContent', 'countTokens'].flatMap((method): Refused[] => [
    { path: `${generate}:${method}`, key: 'sk-wrong', status: 401, in: 'gemini' },
    { path: `/v1beta/models/no-such-model:${method}`, body: UNKNOWN_MODEL, status: 404, in: 'gemini' },
    { path: `${generate}:${method}`, body: '{', status: 400, in: 'gemini' },
    { path: `${generate}:${method}`, body: LARGE, status: 413, in: 'gemini' },
  ]),
  // A client that prefers a websocket falls back to HTTP on 426.
  { method: 'GET', path: '/v1/responses', status: 426, in: 'openai' },
  { method: 'GET', path: '/v1/responses', key: 'sk-wrong', status: 401, in: 'openai' },
  { method: 'GET', path: '/v1/responses/resp_1', status: 404, in: 'openai' },
  { path: '/v1/responses/resp_1/cancel', status: 404, in: 'openai' },
  { path: '/v1/responses/compact', status: 400, in: 'openai' },
  { path: '/v1/responses/input_tokens', key: 'sk-wrong', status: 401, in: 'openai' },
  { path: '/v1/responses/input_tokens', body: UNKNOWN_MODEL, status: 400, in: 'openai' },
  { path: `${generate}:writePoems`, status: 404, in: 'gemini' },
  { path: generate, status: 404, in: 'gemini' },
  { path: `/v1/models/${MODEL}:constructor`, status: 404, in: 'gemini' },
  { method: 'GET', path: '/v1beta/models/no-such-model', status: 404, in: 'gemini' },
  { method: 'GET', path: '/v1beta/models', key: 'sk-wrong', status: 401, in: 'gemini' },
  { method: 'GET', path: '/v1beta/files/abc', status: 404, in: 'gemini' },
  { method: 'GET', path: '/v1beta', status: 404, in: 'gemini' },
  { method: 'GET', path: '/v1alpha/models', status: 404, in: 'gemini' },
  { path: '/v1beta/cachedContents', status: 404, in: 'gemini' },
  { method: 'GET', path: '/v1/messages', status: 404, in: 'anthropic' },
  { method: 'GET', path: '/v1/messages/batches/none', status: 404, in: 'anthropic' },
  { path: '/v1/messages/batches', status: 400, in: 'anthropic' },
  { method: 'GET', path: '/v1beta/openai/fine-tunes', status: 501, in: 'openai' },
  { method: 'GET', path: '/v1beta/openai/nothing', status: 404, in: 'openai' },
  { path: '/anthropic/v1/messages', key: 'sk-wrong', status: 401, in: 'anthropic' },
  { path: '/models/x:generateContent', key: 'sk-wrong', status: 401, in: 'gemini' },
  { method: 'GET', path: '/v1/models/no-such-model', status: 404, in: 'openai' },
  { method: 'GET', path: '/v1/nothing', status: 404, in: 'openai' },
]

test('each path rejects every error in the dialect of the path', async () => {
  const fixture = await openTestRelay((exchange) => sendJson(exchange, completion('ok', usage(5, 5))), {
    settings: { BODY_MAX_MB: '1' },
  })
  const answers = await Promise.all(
    REFUSED.map(async ({ method = 'POST', path, key = fixture.key, body = '{}', status }) => {
      const response = await fetch(fixture.url + path, {
        method,
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        ...(method === 'POST' && { body }),
      })
      const text = await response.text()
      return {
        call: `${method} ${path} ${status}`,
        status: response.status,
        shouldRetry: response.headers.get('x-should-retry'),
        json: text.startsWith('{') ? JSON.parse(text) : text,
      }
    }),
  )
  expect(answers).toMatchObject(
    REFUSED.map((refused) => ({
      call: `${refused.method ?? 'POST'} ${refused.path} ${refused.status}`,
      status: refused.status,
      shouldRetry: refused.status === 501 ? 'false' : null,
      json: SHAPES[refused.in](refused.status),
    })),
  )
  expect(fixture.upstream.seen).toEqual([])
})

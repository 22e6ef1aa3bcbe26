import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { Conversation } from '../../../../../server/relay/conversation/conversation.ts'
import type { Plan, ProviderRequest } from '../../../../../server/relay/providers/provider.ts'
import { isReplyError, replyError } from '../../../../../server/relay/providers/reply-error.ts'
import { canonicalRequest, signedHeaders } from '../../../../../server/relay/providers/tencent/signature.ts'
import { tencent } from '../../../../../server/relay/providers/tencent/tencent.ts'
import { askFor, contextWith, liveChannel } from '../../../../support/ask.ts'

const hi: Conversation = { turns: [{ role: 'user', parts: [{ kind: 'text', text: 'hi' }] }], tools: [], extras: {} }

async function plan(
  fields: Omit<Partial<ProviderRequest>, 'conversation'> & { conversation?: Conversation },
  channel: Parameters<typeof liveChannel>[1] = {},
): Promise<Plan> {
  const ask = askFor({ model: 'hunyuan-lite', requestedModel: 'hunyuan', conversation: hi, ...fields })
  return tencent.plan(ask, liveChannel(23, { key: '125|secretid|secretkey', ...channel }), contextWith())
}

describe('signatures of Tencent Cloud', () => {
  const url = new URL('https://hunyuan.tencentcloudapi.com/')
  const body = '{"Model":"hunyuan-lite","Messages":[{"Role":"user","Content":"hi"}]}'

  test('match the documented example', () => {
    const canonical = canonicalRequest({ url, action: 'ChatCompletions', body })
    expect(createHash('sha256').update(canonical).digest('hex')).toBe(
      'f4aed659da19f37a888a3e1fb97f3ec1df71d1152b7e163d35962ce4ccff4f12',
    )
    const headers = signedHeaders({
      url,
      action: 'ChatCompletions',
      version: '2023-09-01',
      body,
      secretId: 'secretid',
      secretKey: 'secretkey',
      nowMs: 1_700_000_000_999,
    })
    expect(headers).toEqual({
      'content-type': 'application/json',
      authorization:
        'TC3-HMAC-SHA256 Credential=secretid/2023-11-14/hunyuan/tc3_request, SignedHeaders=content-type;host;x-tc-action, ' +
        'Signature=601756595170301371db2cff5083549d76f8c40090a93b2e61e5088ef76325b8',
      'x-tc-action': 'ChatCompletions',
      'x-tc-version': '2023-09-01',
      'x-tc-timestamp': '1700000000',
    })
  })

  test('cover the exact sent body, and the target host', async () => {
    const { request } = await plan({}, { baseUrl: 'http://127.0.0.1:9' })
    const expected = signedHeaders({
      url: new URL('http://127.0.0.1:9/'),
      action: 'ChatCompletions',
      version: '2023-09-01',
      body: String(request.body),
      secretId: 'secretid',
      secretKey: 'secretkey',
      nowMs: contextWith().now(),
    })
    expect(request).toMatchObject({ url: 'http://127.0.0.1:9/', headers: expected })
  })
})

describe('Hunyuan with a key of several parts', () => {
  test('is called at the root, in its own format, and replies in it', async () => {
    const { request, native } = await plan({ stream: true })
    expect(request.url).toBe('https://hunyuan.tencentcloudapi.com/')
    expect(request.body).toBe('{"Model":"hunyuan-lite","Messages":[{"Role":"user","Content":"hi"}],"Stream":true}')
    expect(native).toBeFalsy()
  })

  test.each(['|id|', 'id|', '||'])('the key %j is reported as incomplete', async (key) => {
    await expect(plan({}, { key })).rejects.toMatchObject({ code: 'CHANNEL_MISCONFIGURED' })
  })

  test.each([
    [{ input: 'one' }, '{"Input":"one"}'],
    [{ input: ['one', 'two'] }, '{"InputList":["one","two"]}'],
  ])('embeddings of %j are sent as %s', async (body, sent) => {
    const { request } = await plan({ operation: 'embeddings', body })
    expect(request.body).toBe(sent)
    expect(request.headers['x-tc-action']).toBe('GetEmbedding')
  })

  test('embeddings are returned in OpenAI’s format', async () => {
    const { convert } = await plan({ operation: 'embeddings', body: { input: 'one' } })
    const Data = [{ Embedding: [0.5, -1], Index: 0, Object: 'embedding' }]
    expect(convert?.({ Response: { Data, Usage: { PromptTokens: 3, TotalTokens: 3 }, RequestId: 'r' } })).toEqual({
      object: 'list',
      model: 'hunyuan',
      data: [{ embedding: [0.5, -1], index: 0, object: 'embedding' }],
      usage: { prompt_tokens: 3, total_tokens: 3 },
    })
  })

  test('an error of embeddings with status 200 is an error', async () => {
    const { complete } = await plan({ operation: 'embeddings', body: { input: 'one' } })
    const errorText =
      (await complete?.({ Response: { Error: { Code: 'AuthFailure.SecretIdNotFound', Message: 'no' } } })) ?? {}
    expect(isReplyError(errorText)).toBe(true)
    expect(replyError(errorText)).toMatchObject({ code: 'AuthFailure.SecretIdNotFound', status: 401 })
    const good = { Response: { Data: [] } }
    expect(await complete?.(good)).toBe(good)
  })

  test.each([[{ input: [[1, 2]] }], [{ input: [] }], [{ input: Array(201).fill('x') }], [{}]])(
    'embeddings of %j are rejected',
    async (body) => {
      await expect(plan({ operation: 'embeddings', body })).rejects.toThrow(/input must be |input.* text/)
    },
  )
})

describe('Hunyuan with an API key', () => {
  test('is called in OpenAI’s format at its other host; unknown fields are forwarded', async () => {
    const body = { model: 'hunyuan-lite', messages: [{ role: 'user', content: 'hi' }], enable_enhancement: true }
    const { request, native } = await plan({ body }, { key: 'sk-plain' })
    expect(request.url).toBe('https://api.hunyuan.cloud.tencent.com/v1/chat/completions')
    expect(request.headers.authorization).toBe('Bearer sk-plain')
    expect(String(request.body)).toBe(JSON.stringify(body))
    expect(native).toBe(true)
  })

  test("has the vendor's field names, and drops a choice without tools", async () => {
    const body = {
      model: 'hunyuan-lite',
      messages: [{ role: 'developer', content: 'x' }],
      max_completion_tokens: 9,
      tool_choice: 'none',
    }
    const { request } = await plan({ body }, { key: 'sk-plain' })
    expect(JSON.parse(String(request.body))).toEqual({
      model: 'hunyuan-lite',
      messages: [{ role: 'system', content: 'x' }],
      max_tokens: 9,
    })
  })

  test('a channel’s own address is used, and other dialects are translated', async () => {
    const { request, native } = await plan(
      { dialect: 'gemini', stream: true },
      { key: 'sk-plain', baseUrl: 'http://127.0.0.1:9/v1' },
    )
    expect(request.url).toBe('http://127.0.0.1:9/v1/chat/completions')
    expect(JSON.parse(String(request.body))).toEqual({
      model: 'hunyuan-lite',
      messages: [{ role: 'user', content: 'hi' }],
      stream: true,
      stream_options: { include_usage: true },
    })
    expect(native).toBe(false)
  })

  test('embeddings use the same host', async () => {
    const body = { model: 'hunyuan-lite', input: 'one' }
    const { request, native } = await plan({ operation: 'embeddings', body }, { key: 'sk-plain' })
    expect(request.url).toBe('https://api.hunyuan.cloud.tencent.com/v1/embeddings')
    expect(native).toBe(true)
  })
})

test('Hunyuan does not support speech', async () => {
  await expect(plan({ operation: 'speech' })).rejects.toMatchObject({ code: 'OPERATION_UNSUPPORTED' })
})

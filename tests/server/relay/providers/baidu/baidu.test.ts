import { describe, expect, test } from 'vitest'
import { baidu } from '../../../../../server/relay/providers/baidu/baidu.ts'
import { baiduEndpoint } from '../../../../../server/relay/providers/baidu/endpoints.ts'
import type { ProviderContext, UpstreamRequest } from '../../../../../server/relay/providers/provider.ts'
import { isReplyError, replyError } from '../../../../../server/relay/providers/reply-error.ts'
import { askFor, contextWith, liveChannel } from '../../../../support/ask.ts'

const channel = liveChannel(15, { key: 'the-key|the-secret' })
const hi = { turns: [{ role: 'user' as const, parts: [{ kind: 'text' as const, text: 'hi' }] }], tools: [], extras: {} }
const ROOT = 'https://aip.baidubce.com/rpc/2.0/ai_custom/v1/wenxinworkshop'

/** A context that answer the token endpoint with this, and count how often they are asked. */
function tokenContext(answer: object, { status = 200 } = {}) {
  const requests: UpstreamRequest[] = []
  const kept = new Map<string, { value: string; expiresAt: number }>()
  const context: ProviderContext = contextWith({
    async call(request) {
      requests.push(request)
      return { status, headers: {}, body: Buffer.from(JSON.stringify(answer)) }
    },
    async credential(key, ask) {
      const credential = kept.get(key) ?? (await ask())
      kept.set(key, credential)
      return credential.value
    },
    forgetCredential: (key) => void kept.delete(key),
  })
  return { context, requests, kept }
}
const GRANTED = { access_token: '24.a b', expires_in: 2_592_000 }

describe('access tokens of Baidu', () => {
  test('one is requested with both parts of the key, and used by all requests until it expires', async () => {
    const { context, requests, kept } = tokenContext(GRANTED)
    const ask = askFor({ model: 'ERNIE-4.0-8K', conversation: hi })
    await baidu.plan(ask, channel, context)
    const { request } = await baidu.plan(ask, channel, context)
    expect(requests.map(({ url, method }) => [url, method])).toEqual([
      [
        'https://aip.baidubce.com/oauth/2.0/token?grant_type=client_credentials&client_id=the-key&client_secret=the-secret',
        undefined,
      ],
    ])
    expect(request.url).toBe(`${ROOT}/chat/completions_pro?access_token=24.a%20b`)
    expect([...kept.values()]).toEqual([{ value: '24.a b', expiresAt: context.now() + 2_592_000_000 }])
  })

  test.each([
    ['100', true],
    ['110', true],
    ['111', true],
    ['336003', false],
    ['18', false],
    [null, false],
  ])('after error %s a new one is needed: %s', async (code, refused) => {
    const { context, kept } = tokenContext(GRANTED)
    for (const ask of [
      askFor({ model: 'ERNIE-4.0-8K', conversation: hi }),
      askFor({ operation: 'embeddings', model: 'Embedding-V1', body: { input: 'a' } }),
    ]) {
      const { credential } = await baidu.plan(ask, channel, context)
      expect(credential?.isRejectedBy({ ...baidu.failure(401, '', {}), code })).toBe(refused)
      expect(kept.has(credential?.key ?? '')).toBe(true)
    }
  })

  test('a rejected token is recognized by its code, so that the channel is not considered lost', async () => {
    const { reader } = await baidu.plan(askFor({ conversation: hi }), channel, tokenContext(GRANTED).context)
    expect(reader?.whole({ error_code: 111, error_msg: 'Access token expired' })).toMatchObject([
      { kind: 'error', error: { code: '111', status: 503 } },
    ])
  })

  test('a key rejected by Baidu is a misconfigured channel, reported without the key', async () => {
    const { context } = tokenContext(
      { error: 'invalid_client', error_description: 'unknown client id' },
      { status: 401 },
    )
    const planning = Promise.resolve(baidu.plan(askFor({ conversation: hi }), channel, context))
    await expect(planning).rejects.toMatchObject({
      code: 'CHANNEL_MISCONFIGURED',
      params: { id: 7, reason: expect.stringContaining('unknown client id') },
    })
    await expect(planning).rejects.not.toThrow(/the-secret/)
  })

  test('an invalid reply of the endpoint is an upstream failure', async () => {
    const { context } = tokenContext({}, { status: 502 })
    await expect(Promise.resolve(baidu.plan(askFor({ conversation: hi }), channel, context))).rejects.toMatchObject({
      code: 'UPSTREAM_FAILED',
    })
  })

  test.each(['only-one', '|secret', 'key|'])('the key %j is rejected as not a pair before any request', async (key) => {
    const { context, requests } = tokenContext(GRANTED)
    const planning = (async () => baidu.plan(askFor({ conversation: hi }), liveChannel(15, { key }), context))()
    await expect(planning).rejects.toMatchObject({ code: 'CHANNEL_MISCONFIGURED' })
    expect(requests).toHaveLength(0)
  })

  test('unsupported requests are rejected before a token is requested', async () => {
    const { context, requests } = tokenContext(GRANTED)
    const ask = askFor({ conversation: { ...hi, choices: 3 } })
    await expect((async () => baidu.plan(ask, channel, context))()).rejects.toMatchObject({ code: 'REQUEST_MALFORMED' })
    expect(requests).toHaveLength(0)
  })
})

describe('endpoints of Baidu', () => {
  test.each([
    ['ERNIE-4.0', 'completions_pro'],
    ['ERNIE-4.0-8K', 'completions_pro'],
    ['ERNIE-Bot-4', 'completions_pro'],
    ['ERNIE-Bot', 'completions'],
    ['ERNIE-3.5-8K', 'completions'],
    ['ERNIE-Bot-turbo', 'eb-instant'],
    ['ERNIE-Lite-8K-0922', 'eb-instant'],
    ['ERNIE-Speed', 'ernie_speed'],
    ['ERNIE-Speed-8K', 'ernie_speed'],
    ['ERNIE-Speed-128K', 'ernie-speed-128k'],
    ['ERNIE-3.5-8K-0205', 'ernie-3.5-8k-0205'],
    ['ERNIE-3.5-8K-1222', 'ernie-3.5-8k-1222'],
    ['ERNIE-3.5-4K-0205', 'ernie-3.5-4k-0205'],
    ['ERNIE-Bot-8K', 'ernie_bot_8k'],
    ['ERNIE-Lite-8K-0308', 'ernie-lite-8k'],
    ['ERNIE-Tiny-8K', 'ernie-tiny-8k'],
    ['BLOOMZ-7B', 'bloomz_7b1'],
    ['Embedding-V1', 'embedding-v1'],
    ['bge-large-zh', 'bge_large_zh'],
    ['bge-large-en', 'bge_large_en'],
    ['tao-8k', 'tao_8k'],
    ['My-Own', 'my-own'],
    ['a/b?c', 'a%2Fb%3Fc'],
  ])('%s is served at %s', (model, endpoint) => {
    expect(baiduEndpoint(model)).toBe(endpoint)
  })

  test('a channel’s own address replaces the vendor’s, for access tokens too', async () => {
    const { context, requests } = tokenContext(GRANTED)
    const ownAddress = liveChannel(15, { key: 'a|b', baseUrl: 'http://127.0.0.1:9' })
    const { request } = await baidu.plan(askFor({ model: 'x', conversation: hi }), ownAddress, context)
    expect(requests[0]?.url).toMatch(/^http:\/\/127\.0\.0\.1:9\/oauth\//)
    expect(request.url).toMatch(/^http:\/\/127\.0\.0\.1:9\/rpc\//)
  })
})

describe('embeddings of Baidu', () => {
  const plan = (body: object) =>
    (async () =>
      baidu.plan(
        askFor({ operation: 'embeddings', model: 'bge-large-zh', requestedModel: 'bge', body: { ...body } }),
        channel,
        tokenContext(GRANTED).context,
      ))()

  test.each([
    [{ input: 'one', user: 'u1' }, '{"input":["one"],"user_id":"u1"}'],
    [{ input: ['one', 'two'] }, '{"input":["one","two"]}'],
  ])('%j is sent as %s', async (body, sent) => {
    const { request } = await plan(body)
    expect(request.url).toBe(`${ROOT}/embeddings/bge_large_zh?access_token=24.a%20b`)
    expect(request.body).toBe(sent)
  })

  test('the reply is in OpenAI’s format, with one item for each input', async () => {
    const { convert } = await plan({ input: ['one', 'two'] })
    const data = [0, 1].map((index) => ({ object: 'embedding', embedding: [index, 0.5], index }))
    expect(
      convert?.({ id: 'as-1', object: 'embedding_list', data, usage: { prompt_tokens: 4, total_tokens: 4 } }),
    ).toEqual({ object: 'list', data, model: 'bge', usage: { prompt_tokens: 4, total_tokens: 4 } })
  })

  test('an error with status 200 is an error', async () => {
    const { complete } = await plan({ input: 'one' })
    const followUp = (await complete?.({ error_code: 18, error_msg: 'slow down' })) ?? {}
    expect(isReplyError(followUp)).toBe(true)
    expect(replyError(followUp)).toMatchObject({
      message: 'slow down',
      code: '18',
      status: 429,
      type: 'rate_limit_error',
    })
    const good = { data: [], usage: {} }
    expect(await complete?.(good)).toBe(good)
  })

  test('vectors are base64 on request', async () => {
    const { convert } = await plan({ input: 'one', encoding_format: 'base64' })
    const data = [{ object: 'embedding', embedding: [0.5, -1, 2.25], index: 0 }]
    expect(convert?.({ data, usage: { prompt_tokens: 1, total_tokens: 1 } })).toMatchObject({
      data: [{ embedding: 'AAAAPwAAgL8AABBA' }],
    })
  })

  test.each([[{ input: [1, 2, 3] }], [{ input: [] }], [{}]])(
    '%j is rejected, because texts are required',
    async (body) => {
      await expect(plan(body)).rejects.toThrow(/input must be a string/)
    },
  )

  test('more than 16 texts are rejected, with the next step', async () => {
    await expect(plan({ input: Array(17).fill('x') })).rejects.toThrow(/input: .*16 texts.*17.*several requests/)
  })
})

test('Baidu does not support pictures', async () => {
  const planning = (async () => baidu.plan(askFor({ operation: 'images' }), channel, contextWith()))()
  await expect(planning).rejects.toMatchObject({ code: 'OPERATION_UNSUPPORTED' })
})

test('an error with a status keeps it, and its code decides whether another channel is tried', () => {
  expect(baidu.failure(500, '{"error_code":336003,"error_msg":"bad"}', {})).toMatchObject({
    status: 500,
    message: 'bad',
    code: '336003',
    retry: 'never',
  })
  expect(baidu.failure(502, 'gone', {})).toMatchObject({ status: 502, retry: 'other-channel' })
})

import { describe, expect, test } from 'vitest'
import type { Conversation } from '../../../../../server/relay/conversation/conversation.ts'
import { bedrock } from '../../../../../server/relay/providers/bedrock/bedrock.ts'
import type { Plan } from '../../../../../server/relay/providers/provider.ts'
import { askFor, contextWith, liveChannel } from '../../../../support/ask.ts'

const channel = liveChannel(33, { key: 'AKIDEXAMPLE|secret|us-east-1', baseUrl: '' })
const hello: Conversation = { turns: [{ role: 'user', parts: [{ kind: 'text', text: 'hi' }] }], tools: [], extras: {} }

function plan(fields: Parameters<typeof askFor>[0], context = contextWith()): Promise<Plan> {
  return Promise.resolve(bedrock.plan(askFor({ conversation: hello, ...fields }), channel, context))
}
const bodyOf = ({ request }: Plan) => JSON.parse(String(request.body))

describe('requests to Bedrock', () => {
  test('a Claude model is invoked with a Messages body, without model and stream', async () => {
    const planned = await plan({ model: 'claude-3-haiku-20240307', body: { model: 'claude-3-haiku-20240307' } })
    expect(planned.request.url).toBe(
      'https://bedrock-runtime.us-east-1.amazonaws.com/model/us.anthropic.claude-3-haiku-20240307-v1%3A0/invoke',
    )
    expect(planned.request.headers).toMatchObject({ 'content-type': 'application/json', accept: 'application/json' })
    expect(bodyOf(planned)).toEqual({
      anthropic_version: 'bedrock-2023-05-31',
      max_tokens: 4096,
      messages: [{ role: 'user', content: [{ type: 'text', text: 'hi' }] }],
    })
    expect(planned).toMatchObject({ native: false, framing: 'aws' })
  })

  test('a stream has its own path, and returns frames', async () => {
    const planned = await plan({ model: 'claude-3-haiku-20240307', stream: true })
    expect(planned.request.url).toMatch(/\/invoke-with-response-stream$/)
    expect(planned.request.headers.accept).toBe('application/vnd.amazon.eventstream')
    expect(bodyOf(planned)).not.toHaveProperty('stream')
  })

  test('a client of Messages keeps its body, and gets the unchanged reply', async () => {
    const body = {
      model: 'claude-sonnet-4-5',
      max_tokens: 9,
      stream: false,
      service_tier: 'auto',
      temperature: 0,
      system: [{ type: 'text', text: 's', cache_control: { type: 'ephemeral' } }],
      messages: [{ role: 'user', content: 'hi' }],
      context_management: { edits: [] },
    }
    const headers = { 'anthropic-beta': 'one-2025, two-2025', 'anthropic-version': '2023-06-01' }
    const planned = await plan({ dialect: 'anthropic-messages', model: 'claude-sonnet-4-5', body, headers })
    const { model: _, stream: __, service_tier: ___, ...kept } = body
    expect(bodyOf(planned)).toEqual({
      ...kept,
      anthropic_version: 'bedrock-2023-05-31',
      anthropic_beta: ['one-2025', 'two-2025'],
    })
    expect(planned).toMatchObject({ native: true, renamesModel: true })
    expect(planned.request.headers).not.toHaveProperty('anthropic-version')
    const streamed = await plan({ dialect: 'anthropic-messages', model: 'claude-sonnet-4-5', body, stream: true })
    expect(streamed).toMatchObject({ native: false, framing: 'aws' })
  })

  test('images in a Messages request with a URL or data URL are included as bytes, in call results too', async () => {
    const image = { type: 'image', source: { type: 'url', url: 'https://pictures.example/a.png' } }
    const typed = { type: 'image', source: { type: 'url', url: 'data:image/png;base64,UE5H' } }
    const content = [image, typed, { type: 'tool_result', tool_use_id: 't', content: [image] }]
    const body = { max_tokens: 9, messages: [{ role: 'user', content }] }
    const context = contextWith({ download: async () => ({ data: Buffer.from('PNG'), mime: 'image/png' }) })
    const planned = await plan({ dialect: 'anthropic-messages', model: 'claude-opus-4-6', body }, context)
    const inline = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'UE5H' } }
    expect(bodyOf(planned).messages[0].content).toEqual([
      inline,
      inline,
      { type: 'tool_result', tool_use_id: 't', content: [inline] },
    ])
  })

  test('a -thinking suffix enables thinking of the plain model, in either format', async () => {
    const model = 'claude-3-7-sonnet-20250219-thinking'
    const nativeRequest = { model, dialect: 'anthropic-messages', body: { max_tokens: 2000, messages: [] } } as const
    for (const ask of [{ model }, nativeRequest]) {
      const planned = await plan(ask)
      expect(planned.request.url).toContain('/model/us.anthropic.claude-3-7-sonnet-20250219-v1%3A0/')
      expect(bodyOf(planned).thinking).toMatchObject({ type: 'enabled' })
    }
  })

  test.each([
    ['us.amazon.nova-pro-v1:0', 'us.amazon.nova-pro-v1%3A0/converse'],
    ['moonshot.kimi-k2-thinking', 'moonshot.kimi-k2-thinking/converse'],
  ])('%s, which is not Claude, uses Converse', async (model, path) => {
    const planned = await plan({ model, dialect: 'anthropic-messages' })
    expect(planned.request.url).toBe(`https://bedrock-runtime.us-east-1.amazonaws.com/model/${path}`)
    expect(bodyOf(planned)).toEqual({ messages: [{ role: 'user', content: [{ text: 'hi' }] }] })
    expect(planned.native).toBe(false)
    expect((await plan({ model, stream: true })).request.url).toMatch(/converse-stream$/)
  })

  test('free text of a custom tool is extracted from its one argument', async () => {
    const conversation = { ...hello, tools: [{ name: 'patch', custom: {} }] }
    const { reader } = await plan({ model: 'us.amazon.nova-pro-v1:0', conversation })
    const toolUse = { toolUseId: 'a', name: 'patch', input: { input: 'a\nb' } }
    expect(reader?.whole({ output: { message: { content: [{ toolUse }] } } })).toMatchObject([
      { kind: 'start' },
      { kind: 'call', name: 'patch', custom: true },
      { kind: 'arguments', text: 'a\nb' },
      { kind: 'stop', reason: 'tools' },
      { kind: 'end' },
    ])
  })

  test('the signed request is the sent one, after all overrides', async () => {
    const { request, sign } = await plan({ model: 'claude-3-haiku-20240307' })
    expect(request.headers).not.toHaveProperty('authorization')
    const signed = await sign?.({ ...request, headers: { ...request.headers, 'x-own': '1' } })
    expect(signed).toMatchObject({ url: request.url, body: request.body, headers: { 'x-own': '1' } })
    expect(signed?.headers.authorization).toMatch(/^AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE\/20231114\/us-east-1\//)
    const changed = await sign?.({ ...request, body: '{}' })
    expect(changed?.headers.authorization).not.toBe(signed?.headers.authorization)
  })

  test('other operations are rejected', async () => {
    await expect(plan({ operation: 'embeddings' })).rejects.toMatchObject({ code: 'OPERATION_UNSUPPORTED' })
  })
})

describe('errors of Bedrock', () => {
  test.each([
    [400, 'ValidationException:http://internal.amazon.com/', '{"message":"bad"}', 'ValidationException', 'never'],
    [429, 'ThrottlingException', '{"message":"slow down"}', 'ThrottlingException', 'other-channel'],
    [403, 'UnrecognizedClientException', '{"Message":"bad token"}', 'UnrecognizedClientException', 'other-channel'],
    [408, 'ModelTimeoutException', '{"message":"late"}', 'ModelTimeoutException', 'never'],
    [400, 'ServiceQuotaExceededException', '{"message":"full"}', 'ServiceQuotaExceededException', 'other-channel'],
    [404, 'ResourceNotFoundException', '', 'ResourceNotFoundException', 'other-channel'],
  ])('%i with %s', (status, header, body, code, retry) => {
    expect(bedrock.failure(status, body, { 'x-amzn-errortype': header })).toMatchObject({
      status,
      code,
      type: code,
      retry,
    })
  })

  test('a reply that is not JSON still has a message', () => {
    expect(bedrock.failure(502, '<html>', {}).message).toBe('bad response status code 502')
  })

  test('the account is not revealed', () => {
    const body = '{"message":"User: arn:aws:iam::123456789012:user/me is not authorized"}'
    expect(bedrock.failure(403, body, {}).message).toBe('User: arn:aws:iam::***:user/me is not authorized')
  })
})

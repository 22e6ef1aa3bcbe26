import { describe, expect, test } from 'vitest'
import { parseSettings } from '../../../../../core/channels/settings/settings.ts'
import { chatAsk, conversationOf, planned } from '../../../../support/plan.ts'

const AZURE = 3
const BASE = 'https://r.openai.azure.com'
const chat = (model: string) => chatAsk({ model, messages: [{ role: 'user', content: 'hi' }] })
const urlOf = async (ask: Parameters<typeof planned>[1], channel: Parameters<typeof planned>[2] = {}) =>
  (await planned(AZURE, ask, { channel: { baseUrl: BASE, ...channel.channel } })).url

describe('addresses', () => {
  test.each([
    ['gpt-3.5-turbo', 'gpt-35-turbo'],
    ['gpt-4.1', 'gpt-41'],
    ['my model/x', 'my%20model%2Fx'],
  ])('the deployment of %s is %s', async (model, deployment) => {
    expect(await urlOf(chat(model))).toBe(
      `${BASE}/openai/deployments/${deployment}/chat/completions?api-version=2024-12-01-preview`,
    )
  })

  test('dots stay if the channel is set so', async () => {
    const settings = parseSettings('{"azure_keep_dots":true}')
    expect(await urlOf(chat('gpt-4.1'), { channel: { settings } })).toContain('/gpt-4.1/')
  })

  test('the version is the client’s, else the channel’s; no other part of the query is forwarded', async () => {
    const channel = { other: '2024-02-01' }
    expect(await urlOf(chat('m'), { channel })).toMatch(/\?api-version=2024-02-01$/)
    expect(await urlOf({ ...chat('m'), query: 'x=1&api-version=2025-01-01' }, { channel })).toMatch(
      /\?api-version=2025-01-01$/,
    )
  })

  test.each([[{ other: 'v1' }], [{ baseUrl: `${BASE}/openai/v1` }]])('without versions: %j', async (channel) => {
    expect(await urlOf(chat('m'), { channel })).toBe(`${BASE}/openai/v1/chat/completions`)
  })

  test('Responses are outside the deployments, in a version that has them', async () => {
    const ask = { dialect: 'openai-responses', model: 'm', body: { model: 'm', input: 'x' } } as const
    expect(await urlOf(ask)).toBe(`${BASE}/openai/responses?api-version=2025-03-01-preview`)
    expect(await urlOf(ask, { channel: { other: '2025-04-01-preview' } })).toMatch(/2025-04-01-preview$/)
  })

  test.each([
    ['embeddings', '/openai/deployments/m/embeddings?'],
    ['images', '/openai/deployments/m/images/generations?'],
    ['speech', '/openai/deployments/m/audio/speech?'],
  ] as const)('%s', async (operation, path) => {
    expect(await urlOf({ operation, model: 'm', body: { model: 'm' } })).toContain(path)
  })

  test('Cloudflare’s gateway already contains a part of it', async () => {
    const baseUrl = 'https://gateway.ai.cloudflare.com/v1/a/g/azure-openai/r'
    expect(await urlOf(chat('m'), { channel: { baseUrl } })).toBe(
      `${baseUrl}/m/chat/completions?api-version=2024-12-01-preview`,
    )
  })

  test('realtime', async () => {
    expect(await urlOf({ operation: 'realtime', model: 'gpt-4o-realtime' })).toBe(
      'wss://r.openai.azure.com/openai/realtime?deployment=gpt-4o-realtime&api-version=2024-12-01-preview',
    )
  })
})

describe('credentials', () => {
  test.each([
    ['0123456789', { 'api-key': '0123456789' }],
    ['eyJhbGciOi', { authorization: 'Bearer eyJhbGciOi' }],
    ['Bearer abc', { authorization: 'Bearer abc' }],
  ])('%s', async (key, expected) => {
    const { headers } = await planned(AZURE, chat('m'), { channel: { key } })
    expect(headers).toMatchObject(expected)
    expect(Object.keys(headers).filter((name) => name === 'authorization' || name === 'api-key')).toHaveLength(1)
  })
})

test('the client reads the requested name; other dialects are translated', async () => {
  const { plan } = await planned(AZURE, chat('m'))
  expect(plan).toMatchObject({ native: true, renamesModel: true })
  const translated = await planned(AZURE, {
    dialect: 'gemini',
    model: 'o3',
    conversation: conversationOf({ maxTokens: 9 }),
  })
  expect(translated.plan.native).toBe(false)
  expect(translated.sent).toMatchObject({ max_completion_tokens: 9 })
})

test('a filtered prompt is a client error, a missing deployment is not', async () => {
  const { PROVIDERS } = await import('../../../../../server/relay/providers/providers.ts')
  const failure = (status: number, code: string) =>
    PROVIDERS.azure.failure(status, JSON.stringify({ error: { code, message: 'm' } }), {})
  expect(failure(400, 'content_filter')).toMatchObject({ code: 'content_filter', retry: 'never' })
  expect(failure(404, 'DeploymentNotFound')).toMatchObject({ code: 'DeploymentNotFound', retry: 'other-channel' })
})

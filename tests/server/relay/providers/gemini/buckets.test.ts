import { describe, expect, test } from 'vitest'
import type { DialectName } from '../../../../../core/channels/routing/operations.ts'
import { parseSettings } from '../../../../../core/channels/settings/settings.ts'
import { DIALECTS } from '../../../../../server/relay/dialects/dialects.ts'
import type { Json } from '../../../../../server/relay/json.ts'
import { providerFor } from '../../../../../server/relay/providers/providers.ts'
import { askFor, contextWith, liveChannel } from '../../../../support/ask.ts'
import { serviceAccountKey } from '../../../../support/service-account.ts'

const GEMINI = 24
const VERTEX = 41
const KEY = serviceAccountKey()
const refused = { code: 'REQUEST_MALFORMED', params: { reason: expect.stringContaining('gs://') } }

interface Asked {
  body: Json
  dialect?: DialectName
  raw?: string
  type?: number
  model?: string
  setting?: string
}

function asking({ body, dialect = 'gemini', raw, type = VERTEX, model = 'gemini-2.5-flash', setting }: Asked) {
  const settings = parseSettings(setting ?? null)
  const channel = liveChannel(type, { key: type === VERTEX ? KEY : 'k', other: 'us-central1', baseUrl: '', settings })
  const ask = askFor({ body, dialect, model, ...(raw !== undefined && { raw: Buffer.from(raw) }) })
  const request = { ...ask, conversation: () => DIALECTS[dialect].parse(body) }
  const context = contextWith({ credential: async () => 'token' })
  const provider = providerFor(channel.type)
  return {
    plan: async () => provider.plan(request, channel, context),
    count: async () => provider.countTokens?.(request, channel, context),
  }
}

const contents = (part: Json): Json => ({ contents: [{ role: 'user', parts: [{ text: 'hi' }, part] }] })
const chat = (part: Json): Json => ({ model: 'm', messages: [{ role: 'user', content: [part] }] })
const inBucket = contents({ fileData: { fileUri: 'gs://private/a.pdf' } })

describe("Cloud Storage files, which Google would read with the operator's rights", () => {
  test.each<[string, Asked]>([
    ['in a native body', { body: inBucket }],
    ['at Gemini’s own door', { body: inBucket, type: GEMINI }],
    ['in other letters', { body: contents({ file_data: { file_uri: ' GS://private/a' } }) }],
    [
      'in the instructions',
      { body: { ...contents({}), systemInstruction: { parts: [{ fileData: { fileUri: 'gs://a/b' } }] } } },
    ],
    [
      'in a result',
      {
        body: contents({
          functionResponse: { name: 'f', response: {}, parts: [{ fileData: { fileUri: 'gs://a/b' } }] },
        }),
      },
    ],
    [
      'in a chat',
      { body: chat({ type: 'image_url', image_url: { url: 'gs://private/a.png' } }), dialect: 'openai-chat' },
    ],
    [
      'in a message',
      {
        body: { ...chat({ type: 'document', source: { type: 'url', url: 'gs://private/a' } }), max_tokens: 1 },
        dialect: 'anthropic-messages',
        type: GEMINI,
      },
    ],
    [
      'for an open model',
      {
        body: chat({ type: 'image_url', image_url: { url: 'gs://private/a.png' } }),
        dialect: 'openai-chat',
        model: 'meta/llama-4',
      },
    ],
    [
      'as a film, for an open model',
      {
        body: chat({ type: 'video_url', video_url: { url: 'gs://private/a' } }),
        dialect: 'openai-chat',
        model: 'meta/llama-4',
      },
    ],
  ])('are rejected %s', async (_, asked) => {
    const { plan, count } = asking(asked)
    await expect(plan()).rejects.toMatchObject(refused)
    if (!asked.model) await expect(count()).rejects.toMatchObject(refused)
  })

  test('are accepted if the channel allows it', async () => {
    const setting = '{"allow_google_files":true}'
    const { request } = await asking({ body: inBucket, setting }).plan()
    expect(JSON.parse(String(request.body))).toEqual(inBucket)
    const translated = asking({
      body: chat({ type: 'image_url', image_url: { url: 'gs://a/b.png' } }),
      dialect: 'openai-chat',
      setting,
    })
    expect(String((await translated.plan()).request.body)).toContain('"fileUri":"gs://a/b.png"')
  })

  test('cannot be hidden by a second key or an escape', async () => {
    const body = contents({ fileData: { fileUri: 'https://youtu.be/1' } })
    for (const hidden of ['gs://a/b', '\\u0067s://a/b']) {
      const raw = JSON.stringify(body).replace('"fileUri":', `"fileUri":"${hidden}","fileUri":`)
      const { request } = await asking({ body, raw }).plan()
      expect(JSON.parse(String(request.body))).toEqual(body)
      expect(String(request.body)).not.toContain('s://a/b')
    }
  })

  test('may be mentioned in text, and function arguments are not files', async () => {
    const body = contents({ functionCall: { name: 'read', args: { fileUri: 'gs://a/b' } } })
    const talk = contents({ text: 'gs://a/b is a file' })
    for (const requestBody of [body, talk]) {
      expect(JSON.parse(String((await asking({ body: requestBody }).plan()).request.body))).toEqual(requestBody)
    }
    const text = asking({ body: chat({ type: 'text', text: 'gs://a' }), dialect: 'openai-chat' })
    await expect(text.plan()).resolves.toBeDefined()
  })
})

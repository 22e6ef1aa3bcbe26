import { Readable } from 'node:stream'
import { describe, expect, test } from 'vitest'
import { cloudflare } from '../../../../../server/relay/providers/cloudflare/cloudflare.ts'
import { chatAsk, conversationOf, planned } from '../../../../support/plan.ts'

const CLOUDFLARE = 39
const ROOT = 'https://api.cloudflare.com/client/v4/accounts/acc/ai'
const channel = { other: 'acc' }
const chat = chatAsk({ model: '@cf/meta/llama', messages: [{ role: 'user', content: 'hi' }] })

test("conversations and embeddings use OpenAI's format, below the account", async () => {
  expect(await planned(CLOUDFLARE, chat, { channel })).toMatchObject({
    url: `${ROOT}/v1/chat/completions`,
    isRaw: true,
  })
  const embeddings = {
    operation: 'embeddings',
    model: '@cf/baai/bge',
    body: { model: '@cf/baai/bge', input: 'x' },
  } as const
  expect((await planned(CLOUDFLARE, embeddings, { channel })).url).toBe(`${ROOT}/v1/embeddings`)
  const responses = { dialect: 'openai-responses', model: 'm', body: { model: 'm', input: 'x' } } as const
  expect(await planned(CLOUDFLARE, responses, { channel })).toMatchObject({ url: `${ROOT}/v1/responses`, isRaw: true })
})

test('completions are served by a conversation', async () => {
  const { url, plan } = await planned(
    CLOUDFLARE,
    { dialect: 'openai-completions', conversation: conversationOf() },
    { channel },
  )
  expect({ url, native: plan.native }).toEqual({ url: `${ROOT}/v1/chat/completions`, native: false })
})

test('a channel without an account gets an error before any request', async () => {
  await expect(planned(CLOUDFLARE, chat)).rejects.toMatchObject({ code: 'CHANNEL_MISCONFIGURED' })
})

describe('recordings', () => {
  const file = {
    field: 'file',
    filename: 'a.wav',
    mime: 'audio/wav',
    bytes: 4,
    open: () => Readable.from([Buffer.from('RIFF')]),
  }
  const ask = (body: Record<string, unknown> = {}, files = [file]) =>
    ({ operation: 'transcriptions', model: '@cf/openai/whisper', body, upload: { files, fields: [] } }) as const

  test('are sent as raw bytes, again for each attempt, with replies in OpenAI’s format', async () => {
    const { url, headers, body, plan } = await planned(CLOUDFLARE, ask(), { channel })
    expect(url).toBe(`${ROOT}/run/@cf/openai/whisper`)
    expect(headers).toMatchObject({ 'content-length': '4', 'content-type': 'application/octet-stream' })
    const read = async () => (typeof body === 'function' ? (await body().toArray()).join('') : '')
    expect([await read(), await read()]).toEqual(['RIFF', 'RIFF'])
    expect(plan.convert?.({ success: true, result: { text: 'hi', word_count: 1 } })).toEqual({ text: 'hi' })
  })

  test('are distinguished from other files by their field', async () => {
    const other = { ...file, field: 'other', open: () => Readable.from([Buffer.from('other')]) }
    const { body } = await planned(CLOUDFLARE, ask({}, [other, file]), { channel })
    expect(typeof body === 'function' && (await body().toArray()).join('')).toBe('RIFF')
  })

  test('are not available as subtitles', async () => {
    await expect(planned(CLOUDFLARE, ask({ response_format: 'srt' }), { channel })).rejects.toMatchObject({
      params: { reason: expect.stringContaining('response_format') },
    })
  })

  test('are required', async () => {
    await expect(planned(CLOUDFLARE, ask({}, []), { channel })).rejects.toMatchObject({ code: 'REQUEST_MALFORMED' })
  })
})

describe('pictures', () => {
  const ask = (body: Record<string, unknown>) =>
    ({ operation: 'images', model: '@cf/black forest/flux:1', body }) as const

  test('are requested at the model’s own path, whose slashes stay', async () => {
    const { url, sent, plan } = await planned(CLOUDFLARE, ask({ model: 'x', prompt: 'p', size: '512x256', n: 1 }), {
      channel,
    })
    expect(url).toBe(`${ROOT}/run/@cf/black%20forest/flux%3A1`)
    expect(sent).toEqual({ prompt: 'p', width: 512, height: 256 })
    expect(plan.convert?.({ result: { image: 'aGk=' } })).toEqual({
      created: 1_700_000_000,
      data: [{ b64_json: 'aGk=' }],
    })
    expect(plan.convertBytes?.(Buffer.from('hi'), 'image/png')).toEqual({
      created: 1_700_000_000,
      data: [{ b64_json: 'aGk=' }],
    })
  })

  test('are returned one per request', async () => {
    await expect(planned(CLOUDFLARE, ask({ prompt: 'p', n: 2 }), { channel })).rejects.toMatchObject({
      code: 'REQUEST_MALFORMED',
    })
  })
})

test('errors are read from their list', () => {
  const body = JSON.stringify({ success: false, errors: [{ code: 7003, message: 'No route' }] })
  expect(cloudflare.failure(404, body, {})).toMatchObject({ message: 'No route', status: 404 })
})

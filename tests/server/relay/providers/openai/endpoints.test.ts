import { Readable } from 'node:stream'
import { describe, expect, test } from 'vitest'
import { planned } from '../../../../support/plan.ts'

type Body = Record<string, unknown>
const embed = async (type: number, body: Body, reply: Body) => {
  const { plan } = await planned(type, {
    operation: 'embeddings',
    model: 'm',
    body: { model: 'm', input: 'x', ...body },
  })
  return plan.convert?.(reply)
}
const FLOATS = [0.5, -1, 2.25]
const BASE64 = 'AAAAPwAAgL8AABBA'
const USAGE = { prompt_tokens: 1, total_tokens: 1 }
const replyWith = (...vectors: unknown[]) => ({
  object: 'list',
  data: vectors.map((embedding, index) => ({ index, embedding })),
  usage: USAGE,
})

describe('embeddings', () => {
  test.each([
    ['base64', FLOATS, BASE64],
    ['base64', BASE64, BASE64],
    ['float', BASE64, FLOATS],
    [undefined, BASE64, FLOATS],
    [undefined, FLOATS, FLOATS],
  ])('requested as %s, returned as %j', async (encoding_format, vector, expected) => {
    expect(await embed(1, { ...(encoding_format && { encoding_format }) }, replyWith(vector, vector))).toEqual(
      replyWith(expected, expected),
    )
  })

  test('a valid reply is the same object, so that its bytes are forwarded', async () => {
    const reply = replyWith(FLOATS)
    expect(await embed(1, {}, reply)).toBe(reply)
  })

  test.each([
    ['usage', { object: 'list', data: replyWith(FLOATS).data }],
    ['usage and data', { object: 'list' }],
    ['data', { object: 'list', usage: USAGE }],
  ])('a reply without %s is the same object', async (_, reply) => {
    expect(await embed(1, {}, reply)).toBe(reply)
  })

  test('items get their index, and a total alone is the prompt’s', async () => {
    const reply = { data: [{ embedding: [1] }, { embedding: [2] }], usage: { total_tokens: 4 } }
    expect(await embed(44, {}, reply)).toMatchObject({
      data: [{ index: 0 }, { index: 1 }],
      usage: { prompt_tokens: 4 },
    })
  })

  test('Mistral gets supported fields, with its names', async () => {
    const { sent } = await planned(42, {
      operation: 'embeddings',
      model: 'm',
      body: { model: 'm', input: 'x', dimensions: 8, user: 'u' },
    })
    expect(sent).toEqual({ model: 'm', input: 'x', output_dimension: 8 })
  })
})

describe('rankings', () => {
  const body = { model: 'm', query: 'q', documents: ['a', 'b'] }
  const rank = async (reply: Body, more: Body = {}) =>
    (await planned(47, { operation: 'rerank', body: { ...body, ...more }, model: 'm' })).plan.convert?.(reply)
  const results = [{ index: 1, relevance_score: 0.9, document: 'b' }]

  test('have the documents of the request on request, and usage in its place', async () => {
    const reply = { results, meta: { tokens: { input_tokens: 7, output_tokens: 0 } } }
    expect(await rank(reply, { return_documents: true })).toMatchObject({
      results: [{ index: 1, relevance_score: 0.9, document: { text: 'b' } }],
      usage: { prompt_tokens: 7, total_tokens: 7 },
    })
    expect(await rank({ results, meta: { billed_units: { input_tokens: 3 } } })).toMatchObject({
      results: [{ index: 1, relevance_score: 0.9 }],
      usage: { prompt_tokens: 3 },
    })
  })
})

describe('the sent body', () => {
  const images = { model: 'm', prompt: 'p', size: '1024x1024', quality: 'hd', style: 'vivid', n: 2 }
  test.each([
    [1, images],
    [48, { model: 'm', prompt: 'p', n: 2 }],
    [40, { model: 'm', prompt: 'p', quality: 'hd', style: 'vivid', image_size: '1024x1024', batch_size: 2 }],
  ])('for images at type %i', async (type, expected) => {
    const { sent, isRaw } = await planned(type, { operation: 'images', model: 'm', body: images })
    expect(sent).toEqual(expected)
    expect(isRaw).toBe(type === 1)
  })

  test.each([
    [1, 'embeddings', 'https://api.openai.com/v1/embeddings'],
    [1, 'moderations', 'https://api.openai.com/v1/moderations'],
    [40, 'rerank', 'https://api.siliconflow.cn/v1/rerank'],
    [44, 'embeddings', 'https://api.moka.ai/embeddings'],
    [45, 'images', 'https://ark.cn-beijing.volces.com/api/v3/images/generations'],
    [1, 'realtime', 'wss://api.openai.com/v1/realtime?model=m'],
  ] as const)('type %i, %s', async (type, operation, url) => {
    expect((await planned(type, { operation, model: 'm', body: { model: 'm' } })).url).toBe(url)
  })

  test('a form is rebuilt, with the upstream’s model', async () => {
    const file = {
      field: 'file',
      filename: 'a.wav',
      mime: 'audio/wav',
      bytes: 4,
      open: () => Readable.from([Buffer.from('RIFF')]),
    }
    const upload = { files: [file], fields: [{ name: 'model', value: 'asked' }] }
    const { headers, body, plan } = await planned(1, { operation: 'transcriptions', model: 'whisper-1', upload })
    expect(headers['content-type']).toMatch(/^multipart\/form-data; boundary=/)
    const form = typeof body === 'function' ? (await body().toArray()).join('') : ''
    expect(form).toContain('whisper-1')
    expect(form).not.toContain('asked')
    expect(headers['content-length']).toBe(String(form.length))
    expect(plan.mayBeBinary).toBe(true)
  })
})

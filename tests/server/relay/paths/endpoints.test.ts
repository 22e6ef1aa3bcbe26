import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { request as httpRequest } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { charges, otherOf } from '../../../support/books.ts'
import { post } from '../../../support/chat.ts'
import { customer, MODEL } from '../../../support/gateway.ts'
import { type Exchange, onlyRequest, sendJson, sendStream, usage } from '../../../support/hand-made-upstream.ts'
import { reusedRelay } from '../../../support/reused.ts'

const openRelay = reusedRelay()

const REPLIES: Record<string, unknown> = {
  '/v1/images/generations': { created: 1, data: [{ url: 'https://pictures.example/1' }] },
  '3': { created: 1, data: [{ url: '1' }, { url: '2' }, { url: '3' }] },
  '/v1/audio/transcriptions': { text: 'hello' },
  '/v1/embeddings': { object: 'list', data: [{ object: 'embedding', index: 0, embedding: [1] }], usage: usage(8, 0) },
}
/** What comes before a picture is there. */
const PARTIAL = { type: 'image_generation.partial_image', b64_json: 'AAAA', partial_image_index: 0 }
const MODELS = 'dall-e-3,gpt-image-1,whisper-1,text-embedding-3-small'

async function open(mapping: Record<string, string> = {}) {
  const answer = (exchange: Exchange) => {
    if (exchange.body.stream === true) return sendStream(exchange, [PARTIAL], '')
    const marker = exchange.raw.includes('three') ? '3' : exchange.path
    return sendJson(exchange, REPLIES[marker] ?? {})
  }
  const fixture = await openRelay(answer, { channel: { models: MODELS, model_mapping: JSON.stringify(mapping) } })
  const ratios = { 'gpt-image-1': 2.5, 'whisper-1': 15, 'text-embedding-3-small': 0.01 }
  await fixture.toolkit.options.set(fixture.root, 'ModelRatio', JSON.stringify(ratios))
  return fixture
}

/** A form with a recording of so many bytes of no known format. */
function recording(bytes: number, fields: Record<string, string>): FormData {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.append(name, value)
  form.append('file', new Blob([new Uint8Array(bytes)], { type: 'audio/webm' }), 'speech.webm')
  return form
}

test('pictures cost their list price by size, quality and number, as in the row', async () => {
  const fixture = await open()
  const body = { prompt: 'a cat', quality: 'hd', size: '1024x1792', n: 2 }
  const answer = await fixture.chat(body, { path: '/v1/images/generations' })
  expect(answer.status).toBe(200)
  expect(answer.json).toEqual(REPLIES['/v1/images/generations'])
  // The default model is named to the upstream.
  expect(onlyRequest(fixture.upstream).body).toEqual({ ...body, model: 'dall-e-3' })
  const [row] = await charges(fixture)
  expect(row).toMatchObject({
    quota: 120_000,
    prompt_tokens: 2,
    completion_tokens: 0,
    model_name: 'dall-e-3',
    content: '模型价格 0.24，分组倍率 1.00, 大小 1024x1792, 品质 hd',
  })
  const receipt = await fixture.toolkit.logs.receipt(fixture.root, row?.id ?? 0)
  expect(receipt).toMatchObject({ equal: true, recomputed: 120_000 })

  // The upstream made more than it was asked for.
  expect((await fixture.chat({ prompt: 'three cats' }, { path: '/v1/images/generations' })).status).toBe(200)
  expect((await charges(fixture)).map(({ quota }) => quota).sort()).toEqual([120_000, 60_000])
})

test('a truncated picture stream reports that, and costs its hold', async () => {
  const fixture = await open()
  const body = { model: 'gpt-image-1', prompt: 'a cat', quality: 'low', stream: true }
  const answer = await fixture.chat(body, { path: '/v1/images/generations' })
  expect(answer.status).toBe(200)
  expect(answer.events).toMatchObject([PARTIAL, { error: { code: 'upstream_broke' } }])
  const [row] = await charges(fixture)
  // Without a size, the largest is set aside.
  expect(row).toMatchObject({ completion_tokens: 408 })
  expect(row && otherOf(row)).toMatchObject({ incomplete: true, end_reason: 'upstream-broke', estimated: true })
})

test('pictures beyond the balance are not requested', async () => {
  const fixture = await open()
  const draw = () =>
    fixture.chat({ prompt: 'p', quality: 'hd', size: '1024x1792', n: 10 }, { path: '/v1/images/generations' })
  // 600000 of a million: as much again is not there.
  expect((await draw()).status).toBe(200)
  expect((await draw()).json.error?.code).toBe('insufficient_user_quota')
  expect(fixture.upstream.seen).toHaveLength(1)
})

test('a recording is forwarded from disk with the upstream’s model name, and charged by its length', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'recording-test-'))
  vi.stubEnv('TMPDIR', folder)
  onTestFinished(async () => {
    vi.unstubAllEnvs()
    await rm(folder, { recursive: true, force: true })
  })
  const fixture = await open({ 'whisper-1': 'whisper-large' })
  const form = recording(480_000, { language: 'fr', response_format: 'json' })
  const response = await fetch(`${fixture.url}/v1/audio/transcriptions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${fixture.key}` },
    body: form,
  })
  expect(await response.json()).toEqual({ text: 'hello' })
  const { raw, headers } = onlyRequest(fixture.upstream)
  expect(Number(headers['content-length'])).toBe(raw.length)
  const sent = await new Response(new Uint8Array(raw), {
    headers: { 'content-type': String(headers['content-type']) },
  }).formData()
  expect([...sent.keys()].sort()).toEqual(['file', 'language', 'model', 'response_format'])
  expect(sent.get('model')).toBe('whisper-large')
  expect((sent.get('file') as File).size).toBe(480_000)
  // A minute, as bytes of an unknown format are counted: 1000 tokens × 15.
  const [row] = await charges(fixture)
  expect(row).toMatchObject({ quota: 15_000, prompt_tokens: 1000, model_name: 'whisper-1' })
  expect(row && otherOf(row)).toMatchObject({ is_model_mapped: true, upstream_model_name: 'whisper-large' })
  // It is removed after the last byte was sent.
  const uploads = async () => (await readdir(folder)).filter((name) => name.startsWith('tollgate-upload-'))
  await expect.poll(uploads).toEqual([])
})

test.each<[string, string, object, object]>([
  [
    'embeddings',
    '/v1/embeddings',
    { input: 'one two' },
    { object: 'list', data: [{ object: 'embedding', index: 0, embedding: [1] }] },
  ],
  ['a ranking', '/v1/rerank', { query: 'one', documents: ['two'] }, { results: [{ index: 0, relevance_score: 0.5 }] }],
])('%s have the charged tokens as usage if the upstream reports none', async (_, path, fields, reply) => {
  const fixture = await openRelay((exchange) => sendJson(exchange, reply))
  const answer = await fixture.chat({ model: MODEL, ...fields }, { path })
  const [row] = await charges(fixture)
  expect(row?.prompt_tokens).toBeGreaterThan(0)
  expect(answer.json).toMatchObject({
    ...reply,
    usage: { prompt_tokens: row?.prompt_tokens, total_tokens: row?.prompt_tokens },
  })
})

test('embeddings at their legacy path use the model of the path', async () => {
  const fixture = await open()
  const path = '/v1/engines/text-embedding-3-small/embeddings'
  const answer = await fixture.chat({ input: 'a text' }, { path })
  expect(answer.json).toMatchObject({ usage: { prompt_tokens: 8 } })
  expect(await charges(fixture)).toMatchObject([{ quota: 1, prompt_tokens: 8, model_name: 'text-embedding-3-small' }])
})

test('unsupported known paths return 501 to a valid key, without a model', async () => {
  const fixture = await open()
  const { url, key } = fixture
  expect((await post({ url, key, path: '/v1/edits', body: {} })).json).toMatchObject({
    error: { code: 'api_not_implemented' },
  })
  const tunes = await fetch(`${url}/v1/fine-tunes/abc`, { headers: { authorization: `Bearer ${key}` } })
  expect(tunes.status).toBe(501)
  expect((await fetch(`${url}/v1/fine-tunes`)).status).toBe(401)
  // Anthropic's files are others.
  const headers = { 'x-api-key': key, 'anthropic-version': '2023-06-01' }
  expect((await fetch(`${url}/v1/files`, { headers })).status).toBe(501)
  expect((await fetch(`${url}/v1/files`)).status).toBe(401)
})

test('a form is rejected before it is read if it is unsupported, or cannot be paid', async () => {
  const fixture = await open()
  const poor = await customer(fixture, { user: { quota: 0 } })
  /** The answer to a form that never ends. */
  const begin = (path: string, key: string) =>
    new Promise<number>((resolve, reject) => {
      const headers = { authorization: `Bearer ${key}`, 'content-type': 'multipart/form-data; boundary=b' }
      const request = httpRequest(fixture.url + path, { method: 'POST', headers })
      request.on('error', reject).on('response', ({ statusCode }) => {
        resolve(statusCode ?? 0)
        request.destroy()
      })
      request.write('--b\r\ncontent-disposition: form-data; name="model"\r\n\r\nwhisper-1\r\n')
    })

  expect(await begin('/v1/embeddings', fixture.key)).toBe(400)
  expect(await begin('/v1/completions', fixture.key)).toBe(400)
  expect(await begin('/v1/chat/completions', fixture.key)).toBe(400)
  expect(await begin('/v1/audio/transcriptions', poor.key)).toBe(403)
  expect(fixture.upstream.seen).toEqual([])
})

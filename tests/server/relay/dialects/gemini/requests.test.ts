import { describe, expect, test } from 'vitest'
import { batchEmbedContents, embedContent } from '../../../../../server/relay/dialects/gemini/embeddings.ts'
import { predictImages } from '../../../../../server/relay/dialects/gemini/images.ts'
import {
  countedRequest,
  countReply,
  geminiModelList,
  readPath,
} from '../../../../../server/relay/dialects/gemini/requests.ts'

test.each([
  ['/v1beta/models/gemini-pro:generateContent', 'gemini-pro', 'generateContent'],
  ['/v1/models/gemini-pro:streamGenerateContent?alt=sse', 'gemini-pro', 'streamGenerateContent'],
  ['/v1alpha/models/gemini-pro:countTokens', 'gemini-pro', 'countTokens'],
  ['/v1beta/models/models/gemini-pro:generateContent', 'gemini-pro', 'generateContent'],
  ['/v1beta/models/models%2Fgemini-pro:generateContent', 'gemini-pro', 'generateContent'],
  ['/v1beta/tunedModels/mine:generateContent', 'tunedModels/mine', 'generateContent'],
  ['/v1beta/models/Qwen/Qwen2-7B:generateContent', 'Qwen/Qwen2-7B', 'generateContent'],
  ['/v1beta/models/Qwen%2FQwen2-7B%3AgenerateContent', 'Qwen/Qwen2-7B', 'generateContent'],
  ['/v1beta/models/llama3:8b:generateContent', 'llama3:8b', 'generateContent'],
  ['/v1beta/models/gemini-pro', 'gemini-pro', undefined],
])('%s names %s and %s', (path, model, method) => {
  expect(readPath(path)).toEqual({ model, method })
})

test.each([
  '/v1beta/models',
  '/v1beta/models/',
  '/v1/chat/completions',
  '/v1beta/models/%E0%A4%A:generateContent',
  '/v1beta/models/:generateContent',
])('%s names no model', (path) => {
  expect(readPath(path)).toBeUndefined()
})

test('a count request may contain the whole request', () => {
  const contents = [{ parts: [{ text: 'a' }] }]
  expect(countedRequest({ contents })).toEqual({ contents })
  expect(countedRequest({ generateContentRequest: { contents, tools: [] } })).toEqual({ contents, tools: [] })
  expect(countedRequest({ generate_content_request: { contents } })).toEqual({ contents })
  expect(countReply(7)).toMatchObject({ totalTokens: 7 })
})

describe('models', () => {
  test('are listed with their supported methods', () => {
    expect(geminiModelList(['gpt-4o', 'text-embedding-3-small', 'imagen-3.0-generate-002'])).toEqual({
      models: [
        {
          name: 'models/gpt-4o',
          displayName: 'gpt-4o',
          supportedGenerationMethods: ['generateContent', 'countTokens'],
        },
        {
          name: 'models/text-embedding-3-small',
          displayName: 'text-embedding-3-small',
          supportedGenerationMethods: ['embedContent', 'batchEmbedContents'],
        },
        {
          name: 'models/imagen-3.0-generate-002',
          displayName: 'imagen-3.0-generate-002',
          supportedGenerationMethods: ['predict'],
        },
      ],
    })
  })

  test('have pages', () => {
    const names = (list: Record<string, unknown>) =>
      (list.models as { displayName: string }[]).map(({ displayName }) => displayName)
    const first = geminiModelList(['a', 'b', 'c'], { query: 'pageSize=2' })
    expect([names(first), first.nextPageToken]).toEqual([['a', 'b'], '2'])
    const second = geminiModelList(['a', 'b', 'c'], { query: `pageSize=2&pageToken=${first.nextPageToken}` })
    expect([names(second), second.nextPageToken]).toEqual([['c'], undefined])
  })
})

describe('embeddings', () => {
  test('of one text', () => {
    const { request, reply } = embedContent('emb')
    const body = {
      content: { parts: [{ text: 'a' }, { text: 'b' }] },
      taskType: 'CLUSTERING',
      output_dimensionality: 2,
    }
    expect(request(body)).toEqual({
      model: 'emb',
      input: ['a\nb'],
      encoding_format: 'float',
      dimensions: 2,
      task_type: 'CLUSTERING',
    })
    expect(reply({ data: [{ index: 0, embedding: [1, 2] }] })).toEqual({ embedding: { values: [1, 2] } })
  })

  test('of several texts, in order', () => {
    const { request, reply } = batchEmbedContents('emb')
    const requests = ['a', 'b'].map((text) => ({ model: 'models/x', content: { parts: [{ text }] } }))
    expect(request({ requests })).toMatchObject({ input: ['a', 'b'] })
    expect(
      reply({
        data: [
          { index: 1, embedding: [2] },
          { index: 0, embedding: [1] },
        ],
      }),
    ).toEqual({
      embeddings: [{ values: [1] }, { values: [2] }],
    })
    expect(() => request({})).toThrow(/requests/)
    expect(() => request({ requests: [{ content: { parts: [] } }] })).toThrow(/requests\[0\]/)
  })
})

test('Imagen requests become images requests, and back', () => {
  const { request, reply } = predictImages('dall-e-3')
  const body = { instances: [{ prompt: 'a cat' }], parameters: { sampleCount: 2, aspectRatio: '16:9' } }
  expect(request(body)).toEqual({
    model: 'dall-e-3',
    prompt: 'a cat',
    n: 2,
    size: '1792x1024',
    response_format: 'b64_json',
  })
  expect(request({ instances: [{ prompt: 'a' }] })).toEqual({
    model: 'dall-e-3',
    prompt: 'a',
    response_format: 'b64_json',
  })
  expect(() => request({ instances: [] })).toThrow(/prompt/)
  expect(reply({ data: [{ b64_json: '/9j/AAAA' }, { b64_json: 'iVBO' }] })).toEqual({
    predictions: [
      { mimeType: 'image/jpeg', bytesBase64Encoded: '/9j/AAAA' },
      { mimeType: 'image/png', bytesBase64Encoded: 'iVBO' },
    ],
  })
})

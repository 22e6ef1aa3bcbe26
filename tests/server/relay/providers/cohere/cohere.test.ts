import { describe, expect, test } from 'vitest'
import { cohere } from '../../../../../server/relay/providers/cohere/cohere.ts'
import type { Plan } from '../../../../../server/relay/providers/provider.ts'
import { askFor, contextWith, liveChannel } from '../../../../support/ask.ts'

const channel = liveChannel(34, { key: ' co-key\n' })

function plan(fields: Parameters<typeof askFor>[0], baseUrl = channel.baseUrl): Plan {
  return cohere.plan(askFor(fields), { ...channel, baseUrl }, contextWith()) as Plan
}
const bodyOf = ({ request }: Plan) => JSON.parse(String(request.body))

describe('requests to Cohere', () => {
  test('a conversation uses the second version of chat, with the key', () => {
    const conversation = {
      turns: [{ role: 'user', parts: [{ kind: 'text', text: 'hi' }] }],
      tools: [{ name: 'patch', custom: {} }],
      extras: {},
    } as const
    const planned = plan({ model: 'command-r', stream: true, conversation })
    expect(planned.request).toMatchObject({
      url: 'https://api.cohere.ai/v2/chat',
      headers: {
        'content-type': 'application/json',
        accept: 'text/event-stream',
        authorization: 'Bearer co-key',
      },
    })
    expect(bodyOf(planned)).toMatchObject({ model: 'command-r', stream: true })
    expect(planned.native).toBeFalsy()
    const call = { id: 'a', function: { name: 'patch', arguments: '{"input":"free"}' } }
    expect(planned.reader?.whole({ message: { tool_calls: [call] } })).toMatchObject([
      { kind: 'start' },
      { kind: 'call', custom: true },
      { kind: 'arguments', text: 'free' },
      { kind: 'stop' },
      { kind: 'end' },
    ])
  })

  test.each([
    'https://api.cohere.com',
    'https://api.cohere.com/',
    'https://api.cohere.com/v1',
    'https://api.cohere.com/v2/',
  ])('the base %s has its version once', (baseUrl) => {
    const body = { query: 'q', documents: ['a'] }
    expect(plan({ operation: 'rerank', body, model: 'rerank-v3.5' }, baseUrl).request.url).toBe(
      'https://api.cohere.com/v2/rerank',
    )
  })

  test('documents are ranked as texts, all of them unless the client sets a number', () => {
    const body = {
      model: 'asked-model',
      query: 'q',
      documents: ['a', { text: 'b' }, { title: 'c' }],
      return_documents: true,
      max_tokens_per_doc: 9,
    }
    const planned = plan({ operation: 'rerank', body, model: 'rerank-multilingual-v3.0' })
    expect(bodyOf(planned)).toEqual({
      model: 'rerank-multilingual-v3.0',
      query: 'q',
      documents: ['a', 'b', '{"title":"c"}'],
      max_tokens_per_doc: 9,
    })
    expect(
      planned.convert?.({
        id: 'r',
        results: [{ index: 2, relevance_score: 0.5 }],
        meta: { billed_units: { search_units: 1 } },
      }),
    ).toEqual({
      id: 'r',
      model: 'asked-model',
      results: [{ index: 2, relevance_score: 0.5, document: { title: 'c' } }],
    })
  })

  test('the oldest rerank models use the first version', () => {
    const body = { query: 'q', documents: ['a'], top_n: 0, max_chunks_per_doc: 3, max_tokens_per_doc: 9 }
    const planned = plan({ operation: 'rerank', body, model: 'rerank-english-v2.0' })
    expect(planned.request.url).toBe('https://api.cohere.ai/v1/rerank')
    expect(bodyOf(planned)).toEqual({
      model: 'rerank-english-v2.0',
      query: 'q',
      documents: ['a'],
      top_n: 0,
      max_chunks_per_doc: 3,
    })
  })

  test('embeddings are in OpenAI’s format, as base64 on request', () => {
    const body = { model: 'asked-model', input: ['a', 'b'], dimensions: 256, encoding_format: 'base64' }
    const planned = plan({ operation: 'embeddings', body, model: 'embed-v4.0' })
    expect(planned.request.url).toBe('https://api.cohere.ai/v2/embed')
    expect(bodyOf(planned)).toEqual({
      model: 'embed-v4.0',
      texts: ['a', 'b'],
      input_type: 'search_document',
      embedding_types: ['float'],
      output_dimension: 256,
    })
    const reply = { embeddings: { float: [[0.5, -1, 2.25], [1]] }, meta: { billed_units: { input_tokens: 2 } } }
    expect(planned.convert?.(reply)).toEqual({
      object: 'list',
      model: 'asked-model',
      data: [
        { object: 'embedding', index: 0, embedding: 'AAAAPwAAgL8AABBA' },
        { object: 'embedding', index: 1, embedding: 'AACAPw==' },
      ],
      usage: { prompt_tokens: 2, total_tokens: 2 },
    })
  })

  test('vectors are numbers otherwise', () => {
    const planned = plan({ operation: 'embeddings', body: { input: 'a', input_type: 'search_query' } })
    expect(bodyOf(planned)).toMatchObject({ texts: ['a'], input_type: 'search_query' })
    expect(planned.convert?.({ embeddings: { float: [[0.5]] } })).toMatchObject({ data: [{ embedding: [0.5] }] })
  })

  test('pictures are embedded, but not with texts, and token ids are rejected', () => {
    const embed = (input: unknown) => bodyOf(plan({ operation: 'embeddings', body: { input } }))
    expect(embed([{ image: 'data:image/png;base64,AAAA' }])).toMatchObject({
      images: ['data:image/png;base64,AAAA'],
      input_type: 'image',
    })
    expect(embed([{ text: 'a' }])).toMatchObject({ texts: ['a'] })
    expect(() => embed(['a', { image: 'b' }])).toThrow('not both')
    expect(() => embed([1, 2])).toThrow('token ids')
  })

  test('other operations are rejected', () => {
    expect(() => plan({ operation: 'images' })).toThrow(expect.objectContaining({ code: 'OPERATION_UNSUPPORTED' }))
  })

  test("errors have Cohere's message", () => {
    expect(cohere.failure(404, '{"id":"x","message":"model not found"}', {})).toMatchObject({
      message: 'model not found',
      retry: 'other-channel',
    })
  })
})

import { describe, expect, test } from 'vitest'
import { jina } from '../../../../../server/relay/providers/jina/jina.ts'
import type { Plan } from '../../../../../server/relay/providers/provider.ts'
import { askFor, contextWith, liveChannel } from '../../../../support/ask.ts'

const channel = liveChannel(38, { key: 'jina_key' })

function plan(fields: Parameters<typeof askFor>[0], baseUrl = channel.baseUrl): Plan {
  return jina.plan(askFor(fields), { ...channel, baseUrl }, contextWith()) as Plan
}
const bodyOf = ({ request }: Plan) => JSON.parse(String(request.body))

describe('requests to Jina', () => {
  test('a ranking is requested without documents, and returned with those of the request', () => {
    const body = { model: 'asked-model', query: 'q', documents: ['a', 'b'], top_n: 1, return_documents: true, own: 0 }
    const planned = plan({ operation: 'rerank', body, model: 'jina-reranker-v2-base-multilingual' })
    expect(planned.request).toMatchObject({
      url: 'https://api.jina.ai/v1/rerank',
      headers: { authorization: 'Bearer jina_key', 'content-type': 'application/json' },
    })
    expect(bodyOf(planned)).toEqual({ ...body, model: 'jina-reranker-v2-base-multilingual', return_documents: false })
    const results = [
      { index: 0, relevance_score: 0.1 },
      { index: 1, relevance_score: 0.9 },
    ]
    expect(planned.convert?.({ model: 'x', results, usage: { total_tokens: 7 } })).toEqual({
      model: 'asked-model',
      results: [{ index: 1, relevance_score: 0.9, document: { text: 'b' } }],
      usage: { prompt_tokens: 7, completion_tokens: 0, total_tokens: 7 },
    })
  })

  test('texts and pictures are embedded with Jina’s own fields, in the requested encoding', () => {
    const input = ['a', { text: 'b' }, { image: 'https://pictures.example/c.png' }]
    const body = { model: 'asked-model', input, encoding_format: 'base64', task: 'text-matching', dimensions: 0 }
    const planned = plan({ operation: 'embeddings', body, model: 'jina-clip-v1' }, 'https://api.jina.ai/v1')
    expect(planned.request.url).toBe('https://api.jina.ai/v1/embeddings')
    expect(bodyOf(planned)).toEqual({ model: 'jina-clip-v1', input, task: 'text-matching', dimensions: 0 })
    const data = [{ object: 'embedding', index: 0, embedding: [0.5, -1, 2.25] }]
    expect(planned.convert?.({ model: 'x', object: 'list', data, usage: { total_tokens: 3 } })).toEqual({
      model: 'asked-model',
      object: 'list',
      data: [{ object: 'embedding', index: 0, embedding: 'AAAAPwAAgL8AABBA' }],
      usage: { prompt_tokens: 3, total_tokens: 3 },
    })
  })

  test('numbers stay numbers, and a single text is a list of one', () => {
    const planned = plan({ operation: 'embeddings', body: { input: 'a', encoding_format: 'float' } })
    expect(bodyOf(planned).input).toEqual(['a'])
    expect(planned.convert?.({ data: [{ embedding: [0.5] }] })).toMatchObject({ data: [{ embedding: [0.5] }] })
  })

  test('token ids and other operations are rejected', () => {
    expect(() => plan({ operation: 'embeddings', body: { input: [[1, 2]] } })).toThrow('token ids')
    expect(() => plan({ operation: 'chat' })).toThrow(expect.objectContaining({ code: 'OPERATION_UNSUPPORTED' }))
  })

  test("errors have Jina's message", () => {
    expect(jina.failure(422, '{"detail":"bad input"}', {})).toMatchObject({ message: 'bad input', retry: 'never' })
  })
})

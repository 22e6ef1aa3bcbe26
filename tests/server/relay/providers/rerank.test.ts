import { describe, expect, test } from 'vitest'
import { documentText, rerankReply } from '../../../../server/relay/providers/rerank.ts'

const ask = (body: Record<string, unknown> = {}) => ({
  body: { query: 'q', documents: ['a', { text: 'b', id: 1 }, { image: 'c' }], ...body },
  requestedModel: 'asked-model',
})
const results = [
  { index: 1, relevance_score: 0.1, document: { text: 'b' } },
  { index: 0, relevance_score: 0.9, document: 'a' },
  { index: 2, relevance_score: 0 },
]

describe('a ranking', () => {
  test('is sorted by score, with the indices of the request and the requested model', () => {
    expect(rerankReply({ id: 'r1', model: 'theirs', results }, ask())).toEqual({
      id: 'r1',
      model: 'asked-model',
      results: [
        { index: 0, relevance_score: 0.9 },
        { index: 1, relevance_score: 0.1 },
        { index: 2, relevance_score: 0 },
      ],
    })
  })

  test('has the documents of the request, only on request', () => {
    const ranked = rerankReply({ results }, ask({ return_documents: true })).results
    expect(ranked).toEqual([
      { index: 0, relevance_score: 0.9, document: { text: 'a' } },
      { index: 1, relevance_score: 0.1, document: { text: 'b', id: 1 } },
      { index: 2, relevance_score: 0, document: { image: 'c' } },
    ])
    expect(JSON.stringify(rerankReply({ results }, ask({ return_documents: false })))).not.toContain('document')
  })

  test('has the requested length, or all by default', () => {
    expect(rerankReply({ results }, ask({ top_n: 1 })).results).toEqual([{ index: 0, relevance_score: 0.9 }])
    expect(rerankReply({ results }, ask({ top_n: null })).results).toHaveLength(3)
    expect(rerankReply({}, ask()).results).toEqual([])
  })

  test.each([
    ['usage', { usage: { total_tokens: 7 } }, [7, 0, 7]],
    ['usage with its parts', { usage: { prompt_tokens: 5, completion_tokens: 2, total_tokens: 7 } }, [5, 2, 7]],
    ['meta.tokens', { meta: { tokens: { input_tokens: 5, output_tokens: 1 } } }, [5, 1, 6]],
    [
      'meta.tokens before what is billed',
      { meta: { tokens: { input_tokens: 5 }, billed_units: { input_tokens: 9 } } },
      [5, 0, 5],
    ],
    ['meta.billed_units', { meta: { tokens: { input_tokens: 0 }, billed_units: { input_tokens: 9 } } }, [9, 0, 9]],
    ['the total of billed units', { meta: { billed_units: { total_tokens: 4 } } }, [4, 0, 4]],
  ])('has the usage from %s', (_, reported, [prompt_tokens, completion_tokens, total_tokens]) => {
    expect(rerankReply({ results, ...reported }, ask()).usage).toEqual({
      prompt_tokens,
      completion_tokens,
      total_tokens,
    })
  })

  test.each([
    ['units of searches', { meta: { billed_units: { search_units: 1 } } }],
    ['zeros', { usage: { total_tokens: 0 }, meta: { tokens: { input_tokens: 0 } } }],
    ['nothing', {}],
    ['nonsense', { usage: 'many', meta: [1] }],
  ])('has no usage from %s', (_, reported) => {
    expect(rerankReply({ results, ...reported }, ask())).not.toHaveProperty('usage')
  })
})

test('of a document uses its text, or all of it', () => {
  expect(['a', { text: 'b' }, { title: 'c' }, 4].map(documentText)).toEqual(['a', 'b', '{"title":"c"}', '4'])
})

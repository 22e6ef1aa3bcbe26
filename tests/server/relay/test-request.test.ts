import { describe, expect, test } from 'vitest'
import { findChannelType } from '../../../core/channels/types/types.ts'
import { buildTestRequest } from '../../../server/relay/attempt/test-request.ts'

function requestFor(type: number, model: string) {
  const row = findChannelType(type)
  if (!row) throw new Error(`no kind ${type}`)
  return buildTestRequest(model, row)
}

describe('the request of a channel test', () => {
  test.each([
    [1, 'text-embedding-3-small', 'embeddings'],
    [1, 'Text-Embedding-V1', 'embeddings'],
    [1, 'm3e-base', 'embeddings'],
    [40, 'BAAI/bge-m3', 'embeddings'],
    [40, 'BAAI/bge-reranker-v2-m3', 'rerank'],
    [42, 'mistral-embed', 'embeddings'],
    [34, 'embed-v4.0', 'embeddings'],
    [34, 'rerank-v3.5', 'rerank'],
    [34, 'command-r', 'chat'],
    [38, 'jina-embeddings-v4', 'embeddings'],
    [38, 'jina-clip-v1', 'embeddings'],
    [38, 'jina-colbert-v2', 'rerank'],
    [44, 'anything', 'embeddings'],
    [44, 'a-reranker', 'embeddings'],
    [43, 'bge-of-a-kind-without-embeddings', 'chat'],
    [1, 'gpt-4o', 'chat'],
  ])('for a channel of type %i with %s: %s', (type, model, operation) => {
    expect(requestFor(type, model).operation).toBe(operation)
  })

  test.each([
    ['gpt-4o', { max_tokens: 10 }],
    ['deepseek-chat', { max_tokens: 10 }],
    ['o3-mini', { max_completion_tokens: 50 }],
    ['gpt-5-mini', { max_completion_tokens: 50 }],
    ['deepseek-reasoner', { max_tokens: 50 }],
    ['deepseek-ai/DeepSeek-R1', { max_tokens: 50 }],
    ['kimi-k2-thinking', { max_tokens: 50 }],
    ['claude-3-haiku-20240307', { max_tokens: 10 }],
    ['claude-3-7-sonnet-20250219-thinking', { max_tokens: 1280 }],
    ['gemini-2.5-pro', { max_tokens: 300 }],
  ])('leaves %s room to think: %j', (model, limit) => {
    expect(requestFor(1, model).body).toEqual({ model, messages: [{ role: 'user', content: 'hi' }], ...limit })
  })
})

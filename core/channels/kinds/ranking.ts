import { commaList } from '../../input.ts'
import type { ChannelType } from '../types/channel-type.ts'

const COHERE_MODELS = commaList(`
  command-r, command-r-plus, command-r-08-2024, command-r-plus-08-2024, c4ai-aya-23-35b, c4ai-aya-23-8b, command-light,
  command-light-nightly, command, command-nightly, rerank-english-v3.0, rerank-multilingual-v3.0, rerank-english-v2.0,
  rerank-multilingual-v2.0
`)
const JINA_MODELS = ['jina-clip-v1', 'jina-reranker-v2-base-multilingual'] as const

/** Vendors of reranking models. */
export const RANKING_KINDS = [
  {
    type: 34,
    name: 'Cohere',
    slug: 'cohere',
    family: 'cohere',
    operations: ['chat', 'embeddings', 'rerank'],
    dialects: [],
    baseUrl: 'https://api.cohere.ai',
    keyFormat: 'channelField.apiKey',
    modelList: 'cohere',
    models: [
      ...COHERE_MODELS,
      'command-a-03-2025',
      'command-r7b-12-2024',
      'command-a-vision-07-2025',
      'command-a-reasoning-08-2025',
      'rerank-v3.5',
      'embed-v4.0',
      'embed-multilingual-v3.0',
      'embed-english-v3.0',
    ],
    presets: COHERE_MODELS,
  },
  {
    type: 38,
    name: 'Jina',
    slug: 'jina',
    family: 'jina',
    operations: ['embeddings', 'rerank'],
    dialects: [],
    baseUrl: 'https://api.jina.ai',
    keyFormat: 'channelField.apiKeyJina',
    models: [...JINA_MODELS, 'jina-embeddings-v3', 'jina-embeddings-v4', 'jina-reranker-m0'],
    presets: JINA_MODELS,
  },
] as const satisfies readonly ChannelType[]

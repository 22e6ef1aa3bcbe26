/**
 * Kinds of upstream that the documented API numbers and this version does not relay. Their channels are kept, shown and
 * listed, and never chosen; new ones are refused. A kind that learns to be relayed moves to `types.ts`.
 */
export interface UnservedType {
  readonly type: number
  readonly name: string
  /** Where the vendor serves it; '' = only the operator knows. */
  readonly baseUrl: string
  /** The documented built-in models. */
  readonly models: readonly string[]
  /** Why nobody can serve it any more. */
  readonly retired?: string
}

export const UNSERVED_TYPES: readonly UnservedType[] = [
  { type: 2, name: 'Midjourney proxy', baseUrl: 'https://oa.api2d.net', models: [] },
  { type: 5, name: 'Midjourney proxy plus', baseUrl: 'https://api.openai-sb.com', models: [] },
  {
    type: 11,
    name: 'Google PaLM 2',
    baseUrl: '',
    models: ['PaLM-2'],
    retired: 'Google has shut the PaLM API down; create a channel of type 24 (Google Gemini) instead',
  },
  {
    type: 17,
    name: 'Ali Tongyi',
    baseUrl: 'https://dashscope.aliyuncs.com',
    models: ['qwen-turbo', 'qwen-plus', 'qwen-max', 'qwen-max-longcontext', 'text-embedding-v1'],
  },
  {
    type: 21,
    name: 'knowledge base: AI Proxy',
    baseUrl: 'https://api.aiproxy.io',
    models: [],
    retired: 'its vendor has shut the library down',
  },
  {
    type: 33,
    name: 'AWS Claude',
    baseUrl: '',
    models: [
      'claude-instant-1.2',
      'claude-2.0',
      'claude-2.1',
      'claude-3-sonnet-20240229',
      'claude-3-opus-20240229',
      'claude-3-haiku-20240307',
      'claude-3-5-sonnet-20240620',
      'claude-3-5-sonnet-20241022',
      'claude-3-5-haiku-20241022',
    ],
  },
  {
    type: 34,
    name: 'Cohere',
    baseUrl: 'https://api.cohere.ai',
    models: [
      'command-r',
      'command-r-plus',
      'command-r-08-2024',
      'command-r-plus-08-2024',
      'c4ai-aya-23-35b',
      'c4ai-aya-23-8b',
      'command-light',
      'command-light-nightly',
      'command',
      'command-nightly',
      'rerank-english-v3.0',
      'rerank-multilingual-v3.0',
      'rerank-english-v2.0',
      'rerank-multilingual-v2.0',
    ],
  },
  { type: 36, name: 'Suno API', baseUrl: '', models: [] },
  {
    type: 38,
    name: 'Jina',
    baseUrl: 'https://api.jina.ai',
    models: ['jina-clip-v1', 'jina-reranker-v2-base-multilingual'],
  },
]

/** Numbers that the documented API skips: no upstream ever had them. */
export const UNASSIGNED_TYPES: ReadonlySet<number> = new Set([28, 29, 30, 32])

import { UNSERVED_TYPES, type UnservedType } from './unserved-types.ts'

/** The wire format a channel's upstream speaks; one provider each. */
export type Family = 'openai' | 'azure'

/** The ways in which vendors tell the balance of an account. */
export type BalanceSource = 'openai' | 'aiproxy' | 'api2gpt' | 'aigc2d' | 'siliconflow' | 'deepseek'

/** One kind of upstream. All that is peculiar to a vendor stands in its row and nowhere else. */
export interface ChannelType {
  /** The number that channels store. */
  readonly type: number
  readonly name: string
  /** What to call it on the command line. */
  readonly slug: string
  readonly family: Family
  /** Where the vendor serves it, without `/v1`; '' = only the operator knows. */
  readonly baseUrl: string
  readonly baseUrlRequired: boolean
  /** The base URL is the whole address of the endpoint, `{model}` in it standing for the model's upstream name. */
  readonly completeUrl?: boolean
  /** What the credential looks like, for prompts. */
  readonly keyFormat: string
  /** What the channel's `other` field means; absent = nothing. */
  readonly other?: string
  /** What an empty `other` stands for. */
  readonly otherDefault?: string
  /** Upstream path by the OpenAI path it replaces, where they differ. */
  readonly path?: Readonly<Record<string, string>>
  /** The upstream takes `stream_options.include_usage`. */
  readonly streamUsage: boolean
  /** Not offered for new channels; existing ones still work. */
  readonly hidden: boolean
  /** What a new channel serves unless somebody says otherwise. */
  readonly models: readonly string[]
  /** The documented built-in models, where `models` has newer ones besides. */
  readonly presets?: readonly string[]
  /** Where to ask what is left in the account; absent = the vendor does not tell. */
  readonly balance?: BalanceSource
}

const OPENAI_MODELS = [
  'gpt-3.5-turbo',
  'gpt-3.5-turbo-0613',
  'gpt-3.5-turbo-1106',
  'gpt-3.5-turbo-0125',
  'gpt-3.5-turbo-16k',
  'gpt-3.5-turbo-16k-0613',
  'gpt-3.5-turbo-instruct',
  'gpt-4',
  'gpt-4-0613',
  'gpt-4-1106-preview',
  'gpt-4-0125-preview',
  'gpt-4-32k',
  'gpt-4-32k-0613',
  'gpt-4-turbo-preview',
  'gpt-4-turbo',
  'gpt-4-turbo-2024-04-09',
  'gpt-4-vision-preview',
  'chatgpt-4o-latest',
  'gpt-4o',
  'gpt-4o-2024-05-13',
  'gpt-4o-2024-08-06',
  'gpt-4o-2024-11-20',
  'gpt-4o-mini',
  'gpt-4o-mini-2024-07-18',
  'o1-preview',
  'o1-preview-2024-09-12',
  'o1-mini',
  'o1-mini-2024-09-12',
  'o3-mini',
  'o3-mini-2025-01-31',
  'o3-mini-high',
  'o3-mini-2025-01-31-high',
  'o3-mini-low',
  'o3-mini-2025-01-31-low',
  'o3-mini-medium',
  'o3-mini-2025-01-31-medium',
  'o1',
  'o1-2024-12-17',
  'gpt-4o-audio-preview',
  'gpt-4o-audio-preview-2024-10-01',
  'gpt-4o-realtime-preview',
  'gpt-4o-realtime-preview-2024-10-01',
  'gpt-4o-realtime-preview-2024-12-17',
  'gpt-4o-mini-realtime-preview',
  'gpt-4o-mini-realtime-preview-2024-12-17',
  'text-embedding-ada-002',
  'text-embedding-3-small',
  'text-embedding-3-large',
  'text-curie-001',
  'text-babbage-001',
  'text-ada-001',
  'text-moderation-latest',
  'text-moderation-stable',
  'text-davinci-edit-001',
  'davinci-002',
  'babbage-002',
  'dall-e-3',
  'whisper-1',
  'tts-1',
  'tts-1-1106',
  'tts-1-hd',
  'tts-1-hd-1106',
] as const

const MOONSHOT_MODELS = ['moonshot-v1-8k', 'moonshot-v1-32k', 'moonshot-v1-128k'] as const
const MINIMAX_MODELS = ['abab6.5-chat', 'abab6.5s-chat', 'abab6-chat', 'abab5.5-chat', 'abab5.5s-chat'] as const
const DEEPSEEK_MODELS = ['deepseek-chat', 'deepseek-reasoner'] as const

export const CHANNEL_TYPES = [
  {
    type: 1,
    name: 'OpenAI',
    slug: 'openai',
    family: 'openai',
    baseUrl: 'https://api.openai.com',
    baseUrlRequired: false,
    keyFormat: 'API key (sk-…)',
    streamUsage: true,
    hidden: false,
    models: OPENAI_MODELS,
    balance: 'openai',
  },
  {
    type: 3,
    name: 'Azure OpenAI',
    slug: 'azure',
    family: 'azure',
    baseUrl: '',
    baseUrlRequired: true,
    keyFormat: 'key of the resource, or an Entra token (eyJ…)',
    other: 'API version; v1 = the versionless API',
    otherDefault: '2024-12-01-preview',
    streamUsage: true,
    hidden: false,
    models: OPENAI_MODELS,
  },
  {
    type: 6,
    name: 'OpenAIMax',
    slug: 'openaimax',
    family: 'openai',
    baseUrl: 'https://api.openaimax.com',
    baseUrlRequired: false,
    keyFormat: 'API key',
    streamUsage: true,
    hidden: true,
    models: OPENAI_MODELS,
  },
  {
    type: 7,
    name: 'OhMyGPT',
    slug: 'ohmygpt',
    family: 'openai',
    baseUrl: 'https://api.ohmygpt.com',
    baseUrlRequired: false,
    keyFormat: 'API key',
    streamUsage: true,
    hidden: true,
    models: OPENAI_MODELS,
  },
  {
    type: 8,
    name: 'Custom',
    slug: 'custom',
    family: 'openai',
    baseUrl: '',
    baseUrlRequired: true,
    completeUrl: true,
    keyFormat: 'API key',
    streamUsage: false,
    hidden: false,
    models: OPENAI_MODELS,
    balance: 'openai',
  },
  {
    type: 9,
    name: 'AILS',
    slug: 'ails',
    family: 'openai',
    baseUrl: 'https://api.caipacity.com',
    baseUrlRequired: false,
    keyFormat: 'API key',
    streamUsage: true,
    hidden: true,
    models: OPENAI_MODELS,
  },
  {
    type: 10,
    name: 'AIProxy',
    slug: 'aiproxy',
    family: 'openai',
    baseUrl: 'https://api.aiproxy.io',
    baseUrlRequired: false,
    keyFormat: 'API key',
    streamUsage: true,
    hidden: true,
    models: OPENAI_MODELS,
    balance: 'aiproxy',
  },
  {
    type: 12,
    name: 'API2GPT',
    slug: 'api2gpt',
    family: 'openai',
    baseUrl: 'https://api.api2gpt.com',
    baseUrlRequired: false,
    keyFormat: 'API key',
    streamUsage: true,
    hidden: true,
    models: OPENAI_MODELS,
    balance: 'api2gpt',
  },
  {
    type: 13,
    name: 'AIGC2D',
    slug: 'aigc2d',
    family: 'openai',
    baseUrl: 'https://api.aigc2d.com',
    baseUrlRequired: false,
    keyFormat: 'API key',
    streamUsage: true,
    hidden: true,
    models: OPENAI_MODELS,
    balance: 'aigc2d',
  },
  {
    type: 19,
    name: '360 智脑',
    slug: 'ai360',
    family: 'openai',
    baseUrl: 'https://api.360.cn',
    baseUrlRequired: false,
    keyFormat: 'API key',
    streamUsage: false,
    hidden: false,
    models: [
      '360gpt-turbo',
      '360gpt-turbo-responsibility-8k',
      '360gpt-pro',
      '360gpt2-pro',
      '360GPT_S2_V9',
      'embedding-bert-512-v1',
      'embedding_s1_v1',
      'semantic_similarity_s1_v1',
    ],
  },
  {
    type: 20,
    name: 'OpenRouter',
    slug: 'openrouter',
    family: 'openai',
    baseUrl: 'https://openrouter.ai/api',
    baseUrlRequired: false,
    keyFormat: 'API key (sk-or-…)',
    streamUsage: true,
    hidden: false,
    models: [],
  },
  {
    type: 22,
    name: '知识库：FastGPT',
    slug: 'fastgpt',
    family: 'openai',
    baseUrl: 'https://fastgpt.run/api/openapi',
    baseUrlRequired: false,
    keyFormat: 'API key (fastgpt-…), or APIKey-AppId',
    streamUsage: false,
    hidden: false,
    models: OPENAI_MODELS,
  },
  {
    type: 25,
    name: 'Moonshot',
    slug: 'moonshot',
    family: 'openai',
    baseUrl: 'https://api.moonshot.cn',
    baseUrlRequired: false,
    keyFormat: 'API key (sk-…)',
    streamUsage: true,
    hidden: false,
    models: [...MOONSHOT_MODELS, 'kimi-k2'],
    presets: MOONSHOT_MODELS,
  },
  {
    type: 31,
    name: '零一万物',
    slug: 'yi',
    family: 'openai',
    baseUrl: 'https://api.lingyiwanwu.com',
    baseUrlRequired: false,
    keyFormat: 'API key',
    streamUsage: true,
    hidden: false,
    models: [
      'yi-large',
      'yi-medium',
      'yi-vision',
      'yi-medium-200k',
      'yi-spark',
      'yi-large-rag',
      'yi-large-turbo',
      'yi-large-preview',
      'yi-large-rag-preview',
    ],
  },
  {
    type: 35,
    name: 'MiniMax',
    slug: 'minimax',
    family: 'openai',
    baseUrl: 'https://api.minimax.chat',
    baseUrlRequired: false,
    keyFormat: 'API key',
    path: { '/v1/chat/completions': '/v1/text/chatcompletion_v2' },
    streamUsage: true,
    hidden: false,
    models: [...MINIMAX_MODELS, 'MiniMax-M1', 'MiniMax-M2'],
    presets: MINIMAX_MODELS,
  },
  {
    type: 40,
    name: 'SiliconCloud',
    slug: 'siliconflow',
    family: 'openai',
    baseUrl: 'https://api.siliconflow.cn',
    baseUrlRequired: false,
    keyFormat: 'API key (sk-…)',
    streamUsage: true,
    hidden: false,
    models: [
      'THUDM/glm-4-9b-chat',
      'InstantX/InstantID',
      'ByteDance/SDXL-Lightning',
      'deepseek-ai/deepseek-llm-67b-chat',
      'Qwen/Qwen1.5-14B-Chat',
      'Qwen/Qwen1.5-7B-Chat',
      'Qwen/Qwen1.5-110B-Chat',
      'Qwen/Qwen1.5-32B-Chat',
      '01-ai/Yi-1.5-6B-Chat',
      '01-ai/Yi-1.5-9B-Chat-16K',
      '01-ai/Yi-1.5-34B-Chat-16K',
      'THUDM/chatglm3-6b',
      'deepseek-ai/DeepSeek-V2-Chat',
      'Qwen/Qwen2-72B-Instruct',
      'Qwen/Qwen2-7B-Instruct',
      'Qwen/Qwen2-57B-A14B-Instruct',
      'deepseek-ai/DeepSeek-Coder-V2-Instruct',
      'Qwen/Qwen2-1.5B-Instruct',
      'internlm/internlm2_5-7b-chat',
      'BAAI/bge-large-en-v1.5',
      'BAAI/bge-large-zh-v1.5',
      'Pro/Qwen/Qwen2-7B-Instruct',
      'Pro/Qwen/Qwen2-1.5B-Instruct',
      'Pro/Qwen/Qwen1.5-7B-Chat',
      'Pro/THUDM/glm-4-9b-chat',
      'Pro/THUDM/chatglm3-6b',
      'Pro/01-ai/Yi-1.5-9B-Chat-16K',
      'Pro/01-ai/Yi-1.5-6B-Chat',
      'Pro/google/gemma-2-9b-it',
      'Pro/internlm/internlm2_5-7b-chat',
      'Pro/meta-llama/Meta-Llama-3-8B-Instruct',
      'Pro/mistralai/Mistral-7B-Instruct-v0.2',
      'black-forest-labs/FLUX.1-schnell',
      'FunAudioLLM/SenseVoiceSmall',
      'netease-youdao/bce-embedding-base_v1',
      'BAAI/bge-m3',
      'internlm/internlm2_5-20b-chat',
      'Qwen/Qwen2-Math-72B-Instruct',
      'netease-youdao/bce-reranker-base_v1',
      'BAAI/bge-reranker-v2-m3',
    ],
    balance: 'siliconflow',
  },
  {
    type: 43,
    name: 'DeepSeek',
    slug: 'deepseek',
    family: 'openai',
    baseUrl: 'https://api.deepseek.com',
    baseUrlRequired: false,
    keyFormat: 'API key (sk-…)',
    path: { '/v1/completions': '/beta/completions' },
    streamUsage: true,
    hidden: false,
    models: [...DEEPSEEK_MODELS, 'deepseek-v4-flash', 'deepseek-v4-pro'],
    presets: DEEPSEEK_MODELS,
    balance: 'deepseek',
  },
  {
    type: 47,
    name: 'Xinference',
    slug: 'xinference',
    family: 'openai',
    baseUrl: '',
    baseUrlRequired: true,
    keyFormat: 'API key; any text if the server asks for none',
    streamUsage: true,
    hidden: false,
    models: ['bge-reranker-v2-m3', 'jina-reranker-v2'],
  },
  {
    type: 48,
    name: 'xAI',
    slug: 'xai',
    family: 'openai',
    baseUrl: 'https://api.x.ai',
    baseUrlRequired: false,
    keyFormat: 'API key (xai-…)',
    streamUsage: true,
    hidden: false,
    models: [
      'grok-3-beta',
      'grok-3-mini-beta',
      'grok-3-fast-beta',
      'grok-3-mini-fast-beta',
      'grok-3-mini-beta-high',
      'grok-3-mini-beta-medium',
      'grok-3-mini-beta-low',
      'grok-3-mini-fast-beta-high',
      'grok-3-mini-fast-beta-medium',
      'grok-3-mini-fast-beta-low',
      'grok-2-image',
      'grok-2',
      'grok-2-vision',
      'grok-beta',
      'grok-vision-beta',
    ],
  },
  {
    type: 53,
    name: 'Submodel',
    slug: 'submodel',
    family: 'openai',
    baseUrl: 'https://llm.submodel.ai',
    baseUrlRequired: false,
    keyFormat: 'API key',
    streamUsage: true,
    hidden: false,
    models: [],
  },
] as const satisfies readonly ChannelType[]

const BY_NUMBER: ReadonlyMap<number, ChannelType> = new Map(CHANNEL_TYPES.map((row) => [row.type, row]))
const UNSERVED_BY_NUMBER = new Map(UNSERVED_TYPES.map((row) => [row.type, row]))
const BY_WORD: ReadonlyMap<string, ChannelType> = new Map(
  CHANNEL_TYPES.flatMap((row) => [row.slug, row.name].map((word): [string, ChannelType] => [word.toLowerCase(), row])),
)

/** Undefined for a type nobody knows: its channels are kept and shown, and never chosen for a relay. */
export function findChannelType(type: number): ChannelType | undefined {
  return BY_NUMBER.get(type)
}

/** A kind that the documented API numbers, whether it can be relayed or not. */
export function findAnyType(type: number): ChannelType | UnservedType | undefined {
  return BY_NUMBER.get(type) ?? UNSERVED_BY_NUMBER.get(type)
}

/** The type somebody names by number, slug or name, in any case. */
export function parseChannelType(text: string): ChannelType | undefined {
  const word = text.trim().toLowerCase()
  return /^\d+$/.test(word) ? BY_NUMBER.get(Number(word)) : BY_WORD.get(word)
}

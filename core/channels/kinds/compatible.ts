import { commaList } from '../../input.ts'
import type { ChannelType } from '../types/channel-type.ts'

const MOONSHOT_MODELS = ['moonshot-v1-8k', 'moonshot-v1-32k', 'moonshot-v1-128k'] as const
const MINIMAX_MODELS = ['abab6.5-chat', 'abab6.5s-chat', 'abab6-chat', 'abab5.5-chat', 'abab5.5s-chat'] as const
const DEEPSEEK_MODELS = ['deepseek-chat', 'deepseek-reasoner'] as const

const PERPLEXITY_MODELS = commaList(`
  llama-3-sonar-small-32k-chat, llama-3-sonar-small-32k-online, llama-3-sonar-large-32k-chat,
  llama-3-sonar-large-32k-online, llama-3-8b-instruct, llama-3-70b-instruct, mixtral-8x7b-instruct
`)

/** The only fields that Perplexity accepts. */
const PERPLEXITY_FIELDS = [
  ...['model', 'stream', 'messages', 'temperature', 'top_p', 'top_k', 'max_tokens', 'response_format'],
  ...['frequency_penalty', 'presence_penalty', 'reasoning_effort', 'web_search_options'],
  ...['search_domain_filter', 'search_recency_filter', 'search_mode', 'return_images', 'return_related_questions'],
]
/** The only fields that Mistral accepts in chats. */
const MISTRAL_FIELDS = [
  ...['model', 'stream', 'messages', 'temperature', 'top_p', 'max_tokens', 'stop', 'random_seed', 'response_format'],
  ...['presence_penalty', 'frequency_penalty', 'n', 'tools', 'tool_choice', 'parallel_tool_calls', 'prediction'],
  ...['prompt_mode', 'safe_prompt'],
]
const MISTRAL_FILL_FIELDS = [
  ...['model', 'prompt', 'suffix', 'stream', 'temperature', 'top_p', 'max_tokens', 'min_tokens', 'stop', 'random_seed'],
  'metadata',
]
/** HTTP statuses for the error codes in MiniMax's `base_resp.status_code`. */
const MINIMAX_STATUS = {
  1000: 500,
  1001: 504,
  1002: 429,
  1004: 401,
  1008: 402,
  1024: 500,
  1026: 400,
  1027: 400,
  1033: 500,
  1039: 429,
  1041: 429,
  2013: 400,
  2049: 401,
} as const

/** The usual fields of a vendor whose API has OpenAI's format. */
const COMPATIBLE = { family: 'openai', streamUsage: true, modelList: 'openai' } as const

/** Vendors whose API has OpenAI's format. They serve their own or other vendors' models. */
export const COMPATIBLE_KINDS = [
  {
    type: 19,
    name: '360 智脑',
    nameText: 'channelName.ai360',
    slug: 'ai360',
    family: 'openai',
    operations: ['chat', 'embeddings'],
    dialects: ['openai-chat'],
    baseUrl: 'https://api.360.cn',
    keyFormat: 'channelField.apiKey',
    modelList: 'openai',
    models: commaList(`
      360gpt-turbo, 360gpt-turbo-responsibility-8k, 360gpt-pro, 360gpt2-pro, 360GPT_S2_V9, embedding-bert-512-v1,
      embedding_s1_v1, semantic_similarity_s1_v1
    `),
  },
  {
    ...COMPATIBLE,
    type: 20,
    name: 'OpenRouter',
    slug: 'openrouter',
    operations: ['chat', 'embeddings'],
    dialects: ['openai-chat', 'openai-completions', 'anthropic-messages', 'openai-responses'],
    baseUrl: 'https://openrouter.ai/api',
    keyFormat: 'channelField.apiKeySkOr',
    quirks: {
      messages: { developer: true, reasoning: 'details', cacheMarks: true },
      thinking: { as: 'reasoning', efforts: { max: 'xhigh' } },
      reply: { stops: { error: 'error' } },
      webSearch: true,
    },
    models: [],
  },
  {
    ...COMPATIBLE,
    type: 25,
    name: 'Moonshot',
    slug: 'moonshot',
    operations: ['chat'],
    dialects: ['openai-chat', 'anthropic-messages'],
    baseUrl: 'https://api.moonshot.cn',
    keyFormat: 'channelField.apiKeySk',
    path: { '/v1/messages': '/anthropic/v1/messages' },
    quirks: {
      fields: { chat: { clamp: { temperature: [0, 1] } } },
      messages: { reasoning: 'content', prefix: 'partial' },
      thinking: { as: 'type', thinksByDefault: 'thinking', needsReasoningBack: true },
      apiKeyIn: ['anthropic-messages'],
    },
    models: [...MOONSHOT_MODELS, 'kimi-k2'],
    presets: MOONSHOT_MODELS,
  },
  {
    type: 27,
    name: 'Perplexity',
    slug: 'perplexity',
    family: 'openai',
    operations: ['chat'],
    dialects: ['openai-chat'],
    baseUrl: 'https://api.perplexity.ai',
    keyFormat: 'channelField.apiKeyPplx',
    path: { '/v1/chat/completions': '/chat/completions' },
    quirks: {
      fields: { chat: { only: PERPLEXITY_FIELDS, clamp: { top_p: [0, 0.99] } } },
      messages: { alternate: true, only: ['role', 'content'], strict: true },
      tools: { none: true },
      reply: { thinkTags: true },
      webSearch: true,
    },
    models: [...PERPLEXITY_MODELS, 'sonar', 'sonar-pro', 'sonar-reasoning-pro', 'sonar-deep-research'],
    presets: PERPLEXITY_MODELS,
  },
  {
    ...COMPATIBLE,
    type: 31,
    name: '零一万物',
    nameText: 'channelName.yi',
    slug: 'yi',
    operations: ['chat'],
    dialects: ['openai-chat'],
    baseUrl: 'https://api.lingyiwanwu.com',
    keyFormat: 'channelField.apiKey',
    models: commaList(`
      yi-large, yi-medium, yi-vision, yi-medium-200k, yi-spark, yi-large-rag, yi-large-turbo, yi-large-preview,
      yi-large-rag-preview
    `),
  },
  {
    ...COMPATIBLE,
    type: 35,
    name: 'MiniMax',
    slug: 'minimax',
    operations: ['chat', 'speech'],
    dialects: ['openai-chat', 'anthropic-messages'],
    baseUrl: 'https://api.minimax.chat',
    keyFormat: 'channelField.apiKey',
    path: { '/v1/chat/completions': '/v1/text/chatcompletion_v2', '/v1/messages': '/anthropic/v1/messages' },
    quirks: {
      fields: { chat: { rename: { max_tokens: 'max_completion_tokens' }, clamp: { temperature: [0.01, 1] } } },
      messages: { reasoning: 'content' },
      tools: { required: 'auto', unnamed: true },
      reply: { thinkTags: true, errorStatus: MINIMAX_STATUS },
      apiKeyIn: ['anthropic-messages'],
    },
    models: [...MINIMAX_MODELS, 'MiniMax-M1', 'MiniMax-M2'],
    presets: MINIMAX_MODELS,
  },
  {
    type: 42,
    name: 'Mistral',
    slug: 'mistral',
    family: 'openai',
    operations: ['chat', 'embeddings', 'transcriptions'],
    dialects: ['openai-chat'],
    baseUrl: 'https://api.mistral.ai',
    keyFormat: 'channelField.apiKey',
    quirks: {
      fill: { path: '/v1/fim/completions', models: ['codestral'], only: MISTRAL_FILL_FIELDS },
      fields: {
        chat: { rename: { seed: 'random_seed', max_completion_tokens: 'max_tokens' }, only: MISTRAL_FIELDS },
        embeddings: {
          rename: { dimensions: 'output_dimension' },
          only: ['model', 'input', 'encoding_format', 'output_dimension', 'output_dtype', 'metadata'],
        },
      },
      messages: {
        only: ['role', 'content', 'tool_calls', 'tool_call_id', 'name', 'prefix'],
        strict: true,
        prefix: 'prefix',
      },
      tools: { idLength: 9, required: 'any', namedResults: true },
      // Mistral's replies differ from OpenAI's: content may be a list of parts, and tool calls have no index.
      reply: { stops: { model_length: 'length', error: 'error' }, isRebuilt: true },
    },
    modelList: 'openai',
    models: commaList(`
      open-mistral-7b, open-mixtral-8x7b, mistral-small-latest, mistral-medium-latest, mistral-large-latest,
      mistral-embed
    `),
  },
  {
    ...COMPATIBLE,
    type: 43,
    name: 'DeepSeek',
    slug: 'deepseek',
    operations: ['chat'],
    dialects: ['openai-chat', 'openai-completions', 'anthropic-messages'],
    baseUrl: 'https://api.deepseek.com',
    keyFormat: 'channelField.apiKeySk',
    path: { '/v1/completions': '/beta/completions', '/v1/messages': '/anthropic/v1/messages' },
    quirks: {
      messages: { reasoning: 'content', prefix: 'prefix' },
      thinking: {
        as: 'type',
        efforts: { high: 'high', xhigh: 'max', max: 'max' },
        thinksByDefault: 'reasoner|-v4',
        drop: ['temperature', 'top_p', 'presence_penalty', 'frequency_penalty', 'logprobs', 'top_logprobs'],
        needsReasoningBack: true,
      },
      reply: { stops: { insufficient_system_resource: 'error' } },
      prefixPath: '/beta/chat/completions',
      apiKeyIn: ['anthropic-messages'],
    },
    models: [...DEEPSEEK_MODELS, 'deepseek-v4-flash', 'deepseek-v4-pro'],
    presets: DEEPSEEK_MODELS,
    balance: 'deepseek',
  },
  {
    type: 45,
    name: 'Volcengine Ark',
    slug: 'volcengine',
    family: 'openai',
    operations: ['chat', 'embeddings', 'images'],
    dialects: ['openai-chat', 'openai-responses'],
    baseUrl: 'https://ark.cn-beijing.volces.com',
    keyFormat: 'channelField.apiKey',
    path: {
      '/v1/chat/completions': '/api/v3/chat/completions',
      '/v1/embeddings': '/api/v3/embeddings',
      '/v1/images/generations': '/api/v3/images/generations',
      '/v1/responses': '/api/v3/responses',
    },
    quirks: {
      messages: { reasoning: 'content' },
      thinking: { as: 'type' },
      modelPaths: { bot: '/api/v3/bots/chat/completions' },
    },
    streamUsage: true,
    models: commaList(`
      Doubao-pro-128k, Doubao-pro-32k, Doubao-pro-4k, Doubao-lite-128k, Doubao-lite-32k, Doubao-lite-4k,
      Doubao-embedding
    `),
  },
  {
    ...COMPATIBLE,
    type: 48,
    name: 'xAI',
    slug: 'xai',
    operations: ['chat', 'images'],
    dialects: ['openai-chat', 'openai-responses', 'anthropic-messages'],
    baseUrl: 'https://api.x.ai',
    keyFormat: 'channelField.apiKeyXai',
    quirks: {
      fields: { images: { drop: ['size', 'quality', 'style'] } },
      models: 'xai',
      reply: { completionFromTotal: true },
    },
    models: commaList(`
      grok-3-beta, grok-3-mini-beta, grok-3-fast-beta, grok-3-mini-fast-beta, grok-3-mini-beta-high,
      grok-3-mini-beta-medium, grok-3-mini-beta-low, grok-3-mini-fast-beta-high, grok-3-mini-fast-beta-medium,
      grok-3-mini-fast-beta-low, grok-2-image, grok-2, grok-2-vision, grok-beta, grok-vision-beta
    `),
  },
] as const satisfies readonly ChannelType[]

import { commaList } from '../../input.ts'
import type { Quirks } from '../settings/quirks.ts'
import type { ChannelType } from '../types/channel-type.ts'

const OPENAI_MODELS = commaList(`
  gpt-3.5-turbo, gpt-3.5-turbo-0613, gpt-3.5-turbo-1106, gpt-3.5-turbo-0125, gpt-3.5-turbo-16k, gpt-3.5-turbo-16k-0613,
  gpt-3.5-turbo-instruct, gpt-4, gpt-4-0613, gpt-4-1106-preview, gpt-4-0125-preview, gpt-4-32k, gpt-4-32k-0613,
  gpt-4-turbo-preview, gpt-4-turbo, gpt-4-turbo-2024-04-09, gpt-4-vision-preview, chatgpt-4o-latest, gpt-4o,
  gpt-4o-2024-05-13, gpt-4o-2024-08-06, gpt-4o-2024-11-20, gpt-4o-mini, gpt-4o-mini-2024-07-18, o1-preview,
  o1-preview-2024-09-12, o1-mini, o1-mini-2024-09-12, o3-mini, o3-mini-2025-01-31, o3-mini-high,
  o3-mini-2025-01-31-high, o3-mini-low, o3-mini-2025-01-31-low, o3-mini-medium, o3-mini-2025-01-31-medium, o1,
  o1-2024-12-17, gpt-4o-audio-preview, gpt-4o-audio-preview-2024-10-01, gpt-4o-realtime-preview,
  gpt-4o-realtime-preview-2024-10-01, gpt-4o-realtime-preview-2024-12-17, gpt-4o-mini-realtime-preview,
  gpt-4o-mini-realtime-preview-2024-12-17, text-embedding-ada-002, text-embedding-3-small, text-embedding-3-large,
  text-curie-001, text-babbage-001, text-ada-001, text-moderation-latest, text-moderation-stable, text-davinci-edit-001,
  davinci-002, babbage-002, dall-e-3, whisper-1, tts-1, tts-1-1106, tts-1-hd, tts-1-hd-1106
`)

const AUDIO_OPERATIONS = ['speech', 'transcriptions', 'translations'] as const
const OPENAI_OPERATIONS = [
  'chat',
  'embeddings',
  'images',
  'image-edits',
  'image-variations',
  ...AUDIO_OPERATIONS,
  'moderations',
  'rerank',
  'realtime',
] as const
const AZURE_OPERATIONS = ['chat', 'embeddings', 'images', 'image-edits', ...AUDIO_OPERATIONS, 'realtime'] as const

const CHAT_FORMATS = ['openai-chat', 'openai-completions'] as const

/** Quirks of upstreams that serve OpenAI's models under OpenAI's names, and may serve other models. */
const OPENAI_QUIRKS = { models: 'openai', reply: { thinkTags: true } } as const satisfies Quirks

/** A server with OpenAI's API and models. */
const SERVER = {
  family: 'openai',
  operations: OPENAI_OPERATIONS,
  dialects: CHAT_FORMATS,
  keyFormat: 'channelField.apiKey',
  quirks: OPENAI_QUIRKS,
  modelList: 'openai',
  models: OPENAI_MODELS,
} as const
/** A reseller of OpenAI that is not offered for new channels. */
const RESELLER = { ...SERVER, streamUsage: true, hidden: true } as const

/** OpenAI, Azure, resellers of OpenAI, and other servers with OpenAI's API (Custom, FastGPT, Submodel). */
export const OPENAI_KINDS = [
  {
    type: 1,
    name: 'OpenAI',
    slug: 'openai',
    family: 'openai',
    operations: OPENAI_OPERATIONS,
    dialects: ['openai-chat', 'openai-completions', 'openai-responses'],
    dialectsElsewhere: CHAT_FORMATS,
    baseUrl: 'https://api.openai.com',
    keyFormat: 'channelField.apiKeySk',
    batchApi: 'openai',
    organization: true,
    quirks: OPENAI_QUIRKS,
    streamUsage: true,
    modelList: 'openai',
    models: OPENAI_MODELS,
    balance: 'openai',
  },
  {
    type: 3,
    name: 'Azure OpenAI',
    slug: 'azure',
    family: 'azure',
    operations: AZURE_OPERATIONS,
    dialects: ['openai-chat', 'openai-completions', 'openai-responses'],
    baseUrl: '',
    baseUrlRequired: true,
    baseUrlName: 'AZURE_OPENAI_ENDPOINT',
    baseUrlExample: 'https://my-resource.openai.azure.com',
    keyFormat: 'channelField.resourceKey',
    otherName: 'channelField.apiVersion',
    other: 'channelField.apiVersionAzure',
    otherDefault: '2024-12-01-preview',
    quirks: OPENAI_QUIRKS,
    streamUsage: true,
    models: OPENAI_MODELS,
  },
  { ...RESELLER, type: 6, name: 'OpenAIMax', slug: 'openaimax', baseUrl: 'https://api.openaimax.com' },
  { ...RESELLER, type: 7, name: 'OhMyGPT', slug: 'ohmygpt', baseUrl: 'https://api.ohmygpt.com' },
  {
    ...SERVER,
    type: 8,
    name: 'Custom',
    nameText: 'channelName.custom',
    slug: 'custom',
    baseUrl: '',
    baseUrlRequired: true,
    baseUrlExample: 'https://api.example.com/v1/chat/completions',
    completeUrl: true,
    balance: 'openai',
  },
  { ...RESELLER, type: 9, name: 'AILS', slug: 'ails', baseUrl: 'https://api.caipacity.com' },
  { ...RESELLER, type: 10, name: 'AIProxy', slug: 'aiproxy', baseUrl: 'https://api.aiproxy.io', balance: 'aiproxy' },
  { ...RESELLER, type: 12, name: 'API2GPT', slug: 'api2gpt', baseUrl: 'https://api.api2gpt.com', balance: 'api2gpt' },
  { ...RESELLER, type: 13, name: 'AIGC2D', slug: 'aigc2d', baseUrl: 'https://api.aigc2d.com', balance: 'aigc2d' },
  {
    type: 22,
    name: '知识库：FastGPT',
    nameText: 'channelName.fastgpt',
    slug: 'fastgpt',
    family: 'openai',
    operations: ['chat'],
    dialects: ['openai-chat'],
    baseUrl: 'https://fastgpt.run/api/openapi',
    keyFormat: 'channelField.apiKeyFastgpt',
    quirks: { fields: { chat: { force: { detail: false } } }, reply: { events: ['answer', 'fastAnswer'] } },
    models: OPENAI_MODELS,
  },
  {
    ...SERVER,
    type: 53,
    name: 'Submodel',
    slug: 'submodel',
    baseUrl: 'https://llm.submodel.ai',
    streamUsage: true,
    models: [],
  },
] as const satisfies readonly ChannelType[]

import { commaList } from '../../input.ts'
import type { ChannelType } from '../types/channel-type.ts'
import { CLAUDE_MODELS, DOCUMENTED_CLAUDE_MODELS } from './anthropic.ts'

const GEMINI_MODELS = commaList(`
  gemini-1.5-pro, gemini-1.5-flash, gemini-1.5-flash-8b, gemini-2.0-flash, gemini-1.5-pro-latest,
  gemini-1.5-flash-latest, gemini-2.0-flash-lite-preview, gemini-exp-1206, gemini-2.0-flash-exp, gemini-2.0-pro-exp,
  gemini-2.0-flash-thinking-exp
`)

const NEWER_GEMINI_MODELS = commaList(`
  gemini-2.5-pro, gemini-2.5-flash, gemini-2.5-flash-lite, gemini-2.5-flash-image, gemini-2.5-pro-exp-03-25,
  gemini-2.5-pro-preview-03-25, gemini-embedding-001
`)

const VERTEX_MODELS = ['meta/llama3-405b-instruct-maas', ...DOCUMENTED_CLAUDE_MODELS, ...GEMINI_MODELS] as const

/** Google's two APIs for its own models and the models that it hosts. */
export const GOOGLE_KINDS = [
  {
    type: 24,
    name: 'Google Gemini',
    slug: 'gemini',
    family: 'gemini',
    operations: ['chat', 'embeddings', 'images'],
    dialects: ['gemini'],
    baseUrl: 'https://generativelanguage.googleapis.com',
    keyFormat: 'channelField.apiKeyAiza',
    otherName: 'channelField.apiVersion',
    other: 'channelField.apiVersion',
    otherDefault: 'v1beta',
    modelList: 'gemini',
    models: [
      ...GEMINI_MODELS,
      ...NEWER_GEMINI_MODELS,
      'gemini-embedding-exp-03-07',
      'text-embedding-004',
      'embedding-001',
      'imagen-3.0-generate-002',
    ],
    presets: GEMINI_MODELS,
  },
  {
    type: 41,
    name: 'Vertex AI',
    slug: 'vertex',
    family: 'vertex',
    operations: ['chat', 'embeddings', 'images'],
    // The format depends on the model: Gemini's, Claude's, or OpenAI's for open models.
    dialects: ['gemini', 'anthropic-messages', 'openai-chat'],
    baseUrl: '',
    keyFormat: 'channelField.serviceAccount',
    keyDocument: true,
    otherName: 'channelField.regionName',
    otherRequired: true,
    other: 'channelField.region',
    streamUsage: true,
    models: [
      'meta/llama3-405b-instruct-maas',
      ...CLAUDE_MODELS,
      ...GEMINI_MODELS,
      ...NEWER_GEMINI_MODELS,
      'text-embedding-005',
      'text-multilingual-embedding-002',
      'imagen-3.0-generate-002',
    ],
    presets: VERTEX_MODELS,
  },
] as const satisfies readonly ChannelType[]

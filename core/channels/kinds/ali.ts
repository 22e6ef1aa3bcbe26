import type { ChannelType } from '../types/channel-type.ts'

const QWEN_MODELS = ['qwen-turbo', 'qwen-plus', 'qwen-max', 'qwen-max-longcontext', 'text-embedding-v1'] as const

export const ALI_KINDS = [
  {
    type: 17,
    name: '阿里通义千问',
    nameText: 'channelName.ali',
    slug: 'ali',
    family: 'ali',
    operations: ['chat', 'embeddings', 'images', 'rerank'],
    dialects: ['openai-chat', 'openai-completions'],
    baseUrl: 'https://dashscope.aliyuncs.com',
    keyFormat: 'channelField.apiKeySk',
    otherName: 'channelField.pluginsName',
    other: 'channelField.plugins',
    path: {
      '/v1/chat/completions': '/compatible-mode/v1/chat/completions',
      '/v1/completions': '/compatible-mode/v1/completions',
      '/v1/embeddings': '/compatible-mode/v1/embeddings',
      '/v1/models': '/compatible-mode/v1/models',
    },
    streamUsage: true,
    quirks: {
      fields: {
        chat: { clamp: { top_p: [0.001, 0.999] } },
        // The vendor returns vectors only as numbers, not as base64.
        embeddings: { force: { encoding_format: 'float' } },
      },
      thinking: { as: 'enable' },
    },
    modelList: 'openai',
    models: [
      ...QWEN_MODELS,
      'qwen3-max',
      'qwen-flash',
      'qwen-vl-max',
      'qwq-plus',
      'text-embedding-v3',
      'text-embedding-v4',
      'gte-rerank-v2',
      'wanx-v1',
      'qwen-image',
    ],
    presets: QWEN_MODELS,
  },
] as const satisfies readonly ChannelType[]

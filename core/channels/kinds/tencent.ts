import type { ChannelType } from '../types/channel-type.ts'

export const TENCENT_KINDS = [
  {
    type: 23,
    name: '腾讯混元',
    nameText: 'channelName.hunyuan',
    slug: 'hunyuan',
    family: 'tencent',
    operations: ['chat', 'embeddings'],
    dialects: [],
    baseUrl: 'https://hunyuan.tencentcloudapi.com',
    compatibleUrl: 'https://api.hunyuan.cloud.tencent.com',
    keyFormat: 'channelField.secretIdTencent',
    quirks: {
      fields: { chat: { rename: { max_completion_tokens: 'max_tokens' } } },
      reply: { stops: { sensitive: 'filter' } },
    },
    streamUsage: true,
    models: ['hunyuan-lite', 'hunyuan-standard', 'hunyuan-standard-256K', 'hunyuan-pro'],
  },
] as const satisfies readonly ChannelType[]

import type { ChannelType } from '../types/channel-type.ts'

export const XUNFEI_KINDS = [
  {
    type: 18,
    name: '讯飞星火认知',
    nameText: 'channelName.spark',
    slug: 'spark',
    family: 'xunfei',
    operations: ['chat'],
    dialects: [],
    baseUrl: 'https://spark-api.xf-yun.com',
    compatibleUrl: 'https://spark-api-open.xf-yun.com',
    keyFormat: 'channelField.apiPassword',
    otherName: 'channelField.sparkVersionName',
    other: 'channelField.sparkVersion',
    otherDefault: 'v1.1',
    quirks: { fields: { chat: { rename: { max_completion_tokens: 'max_tokens' } } } },
    models: ['SparkDesk', 'SparkDesk-v1.1', 'SparkDesk-v2.1', 'SparkDesk-v3.1', 'SparkDesk-v3.5', 'SparkDesk-v4.0'],
  },
] as const satisfies readonly ChannelType[]

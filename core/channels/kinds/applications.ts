import type { ChannelType } from '../types/channel-type.ts'

/** Services that run an app or a bot, which the operator has built there. The app chooses the model. */
export const APPLICATION_KINDS = [
  {
    type: 37,
    name: 'Dify',
    slug: 'dify',
    family: 'dify',
    operations: ['chat'],
    dialects: [],
    baseUrl: 'https://api.dify.ai',
    keyFormat: 'channelField.appKey',
    otherName: 'channelField.appKindName',
    other: 'channelField.appKind',
    otherDefault: 'chat',
    models: [],
  },
  {
    type: 49,
    name: 'Coze',
    slug: 'coze',
    family: 'coze',
    operations: ['chat'],
    dialects: [],
    baseUrl: 'https://api.coze.cn',
    keyFormat: 'channelField.accessTokenPat',
    otherName: 'channelField.botIdName',
    otherRequired: true,
    other: 'channelField.botId',
    models: [],
  },
] as const satisfies readonly ChannelType[]

import type { ChannelType } from '../types/channel-type.ts'

/** Services that run an app or a bot that the user has built there. The app chooses the model. */
export const APPLICATION_KINDS = [
  {
    type: 37,
    name: 'Dify',
    slug: 'dify',
    family: 'dify',
    operations: ['chat'],
    dialects: [],
    baseUrl: 'https://api.dify.ai',
    baseUrlRequired: false,
    keyFormat: "an app's key (app-…)",
    otherName: 'kind of app',
    other: 'kind of app: chat, agent, completion or workflow',
    otherDefault: 'chat',
    streamUsage: false,
    hidden: false,
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
    baseUrlRequired: false,
    keyFormat: 'access token (pat_…)',
    otherName: 'bot id',
    otherRequired: true,
    other: "the bot's id",
    streamUsage: false,
    hidden: false,
    models: [],
  },
] as const satisfies readonly ChannelType[]

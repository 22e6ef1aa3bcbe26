import { commaList } from '../../input.ts'
import type { ChannelType } from '../types/channel-type.ts'

const GLM_MODELS = commaList(`
  glm-4, glm-4v, glm-3-turbo, glm-4-alltools, glm-4-plus, glm-4-0520, glm-4-air, glm-4-airx, glm-4-long, glm-4-flash,
  glm-4v-plus
`)

/** Versions 3 and 4 of Zhipu's API. The vendor has retired version 3. */
export const ZHIPU_KINDS = [
  {
    type: 16,
    name: '智谱 ChatGLM',
    nameText: 'channelName.chatglm',
    slug: 'chatglm',
    family: 'zhipu-v3',
    operations: ['chat'],
    dialects: [],
    baseUrl: 'https://open.bigmodel.cn',
    keyFormat: 'channelField.idSecret',
    models: ['chatglm_turbo', 'chatglm_pro', 'chatglm_std', 'chatglm_lite'],
  },
  {
    type: 26,
    name: '智谱 GLM-4V',
    nameText: 'channelName.zhipu',
    slug: 'zhipu',
    family: 'zhipu',
    operations: ['chat', 'embeddings', 'images', 'rerank', 'transcriptions'],
    dialects: ['openai-chat', 'anthropic-messages'],
    baseUrl: 'https://open.bigmodel.cn',
    keyFormat: 'channelField.apiKeyIdSecret',
    quirks: {
      fields: { chat: { rename: { max_completion_tokens: 'max_tokens' }, clamp: { top_p: [0.01, 0.99] } } },
      messages: { reasoning: 'content' },
      thinking: { as: 'type' },
      reply: {
        stops: { sensitive: 'filter', model_context_window_exceeded: 'length', network_error: 'error' },
      },
      apiKeyIn: ['anthropic-messages'],
    },
    streamUsage: true,
    models: GLM_MODELS,
  },
] as const satisfies readonly ChannelType[]

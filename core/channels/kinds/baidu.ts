import { commaList } from '../../input.ts'
import type { ChannelType } from '../types/channel-type.ts'

const QIANFAN_MODELS = commaList(`
  ernie-4.0-8k-latest, ernie-4.0-8k-preview, ernie-4.0-8k, ernie-4.0-turbo-8k-latest, ernie-4.0-turbo-8k-preview,
  ernie-4.0-turbo-8k, ernie-4.0-turbo-128k, ernie-3.5-8k-preview, ernie-3.5-8k, ernie-3.5-128k, ernie-speed-8k,
  ernie-speed-128k, ernie-speed-pro-128k, ernie-lite-8k, ernie-lite-pro-128k, ernie-tiny-8k, ernie-char-8k,
  ernie-char-fiction-8k, ernie-novel-8k, deepseek-v3, deepseek-r1, deepseek-r1-distill-qwen-32b,
  deepseek-r1-distill-qwen-14b
`)

/** Baidu's two services: the first has Baidu's own format, the second has OpenAI's. */
export const BAIDU_KINDS = [
  {
    type: 15,
    name: '百度文心千帆',
    nameText: 'channelName.baidu',
    slug: 'baidu',
    family: 'baidu',
    operations: ['chat', 'embeddings'],
    dialects: [],
    baseUrl: 'https://aip.baidubce.com',
    keyFormat: 'channelField.apiKeySecretKey',
    models: commaList(`
      ERNIE-4.0-8K, ERNIE-3.5-8K, ERNIE-3.5-8K-0205, ERNIE-3.5-8K-1222, ERNIE-Bot-8K, ERNIE-3.5-4K-0205, ERNIE-Speed-8K,
      ERNIE-Speed-128K, ERNIE-Lite-8K-0922, ERNIE-Lite-8K-0308, ERNIE-Tiny-8K, BLOOMZ-7B, Embedding-V1, bge-large-zh,
      bge-large-en, tao-8k
    `),
  },
  {
    type: 46,
    name: '百度文心千帆V2',
    nameText: 'channelName.qianfan',
    slug: 'qianfan',
    family: 'qianfan',
    operations: ['chat', 'embeddings', 'images', 'rerank'],
    dialects: ['openai-chat'],
    baseUrl: 'https://qianfan.baidubce.com',
    keyFormat: 'channelField.apiKeyBce',
    path: {
      '/v1/chat/completions': '/v2/chat/completions',
      '/v1/embeddings': '/v2/embeddings',
      '/v1/images/generations': '/v2/images/generations',
      '/v1/rerank': '/v2/rerank',
    },
    streamUsage: true,
    modelList: 'qianfan',
    models: QIANFAN_MODELS,
  },
] as const satisfies readonly ChannelType[]

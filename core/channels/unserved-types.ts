/**
 * Kinds of upstream that the documented API numbers and this version does not relay. Their channels are kept, shown and
 * listed, and never chosen; new ones are refused. A kind that learns to be relayed moves to `types.ts`.
 */
export interface UnservedType {
  readonly type: number
  readonly name: string
  /** Where the vendor serves it; '' = only the operator knows. */
  readonly baseUrl: string
  /** The documented built-in models. */
  readonly models: readonly string[]
  /** Why nobody can serve it any more. */
  readonly retired?: string
}

export const UNSERVED_TYPES: readonly UnservedType[] = [
  { type: 2, name: 'Midjourney proxy', baseUrl: 'https://oa.api2d.net', models: [] },
  { type: 5, name: 'Midjourney proxy plus', baseUrl: 'https://api.openai-sb.com', models: [] },
  {
    type: 11,
    name: 'Google PaLM 2',
    baseUrl: '',
    models: ['PaLM-2'],
    retired: 'Google has shut the PaLM API down; create a channel of type 24 (Google Gemini) instead',
  },
  {
    type: 15,
    name: 'Baidu Qianfan',
    baseUrl: 'https://aip.baidubce.com',
    models: [
      'ERNIE-4.0-8K',
      'ERNIE-3.5-8K',
      'ERNIE-3.5-8K-0205',
      'ERNIE-3.5-8K-1222',
      'ERNIE-Bot-8K',
      'ERNIE-3.5-4K-0205',
      'ERNIE-Speed-8K',
      'ERNIE-Speed-128K',
      'ERNIE-Lite-8K-0922',
      'ERNIE-Lite-8K-0308',
      'ERNIE-Tiny-8K',
      'BLOOMZ-7B',
      'Embedding-V1',
      'bge-large-zh',
      'bge-large-en',
      'tao-8k',
    ],
  },
  {
    type: 16,
    name: 'Zhipu ChatGLM',
    baseUrl: 'https://open.bigmodel.cn',
    models: ['chatglm_turbo', 'chatglm_pro', 'chatglm_std', 'chatglm_lite'],
  },
  {
    type: 18,
    name: 'Xunfei Spark',
    baseUrl: '',
    models: ['SparkDesk', 'SparkDesk-v1.1', 'SparkDesk-v2.1', 'SparkDesk-v3.1', 'SparkDesk-v3.5', 'SparkDesk-v4.0'],
  },
  {
    type: 21,
    name: 'knowledge base: AI Proxy',
    baseUrl: 'https://api.aiproxy.io',
    models: [],
    retired: 'its vendor has shut the library down',
  },
  {
    type: 23,
    name: 'Tencent Hunyuan',
    baseUrl: 'https://hunyuan.tencentcloudapi.com',
    models: ['hunyuan-lite', 'hunyuan-standard', 'hunyuan-standard-256K', 'hunyuan-pro'],
  },
  {
    type: 26,
    name: 'Zhipu GLM-4V',
    baseUrl: 'https://open.bigmodel.cn',
    models: [
      'glm-4',
      'glm-4v',
      'glm-3-turbo',
      'glm-4-alltools',
      'glm-4-plus',
      'glm-4-0520',
      'glm-4-air',
      'glm-4-airx',
      'glm-4-long',
      'glm-4-flash',
      'glm-4v-plus',
    ],
  },
  { type: 36, name: 'Suno API', baseUrl: '', models: [] },
  { type: 37, name: 'Dify', baseUrl: '', models: [] },
  {
    type: 46,
    name: 'Baidu Qianfan V2',
    baseUrl: 'https://qianfan.baidubce.com',
    models: [
      'ernie-4.0-8k-latest',
      'ernie-4.0-8k-preview',
      'ernie-4.0-8k',
      'ernie-4.0-turbo-8k-latest',
      'ernie-4.0-turbo-8k-preview',
      'ernie-4.0-turbo-8k',
      'ernie-4.0-turbo-128k',
      'ernie-3.5-8k-preview',
      'ernie-3.5-8k',
      'ernie-3.5-128k',
      'ernie-speed-8k',
      'ernie-speed-128k',
      'ernie-speed-pro-128k',
      'ernie-lite-8k',
      'ernie-lite-pro-128k',
      'ernie-tiny-8k',
      'ernie-char-8k',
      'ernie-char-fiction-8k',
      'ernie-novel-8k',
      'deepseek-v3',
      'deepseek-r1',
      'deepseek-r1-distill-qwen-32b',
      'deepseek-r1-distill-qwen-14b',
    ],
  },
]

/** Numbers that the documented API skips: no upstream ever had them. */
export const UNASSIGNED_TYPES: ReadonlySet<number> = new Set([28, 29, 30, 32])

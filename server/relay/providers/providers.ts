import type { Family } from '../../../core/channels/types.ts'
import { ali } from './ali/ali.ts'
import { anthropic } from './anthropic/anthropic.ts'
import { baidu } from './baidu/baidu.ts'
import { bedrock } from './bedrock/bedrock.ts'
import { cloudflare } from './cloudflare/cloudflare.ts'
import { cohere } from './cohere/cohere.ts'
import { coze } from './coze/coze.ts'
import { dify } from './dify/dify.ts'
import { jina } from './jina/jina.ts'
import { ollama } from './ollama/ollama.ts'
import { azure } from './openai/azure.ts'
import { openai } from './openai/openai.ts'
import type { Provider } from './provider.ts'
import { qianfan } from './qianfan/qianfan.ts'
import { tencent } from './tencent/tencent.ts'
import { xunfei } from './xunfei/xunfei.ts'
import { zhipuV3 } from './zhipu/v3.ts'
import { zhipu } from './zhipu/v4.ts'

/** Does not compile while a family has no provider. */
export const PROVIDERS: Record<Family, Provider> = {
  openai,
  azure,
  anthropic,
  ollama,
  cloudflare,
  baidu,
  qianfan,
  'zhipu-v3': zhipuV3,
  zhipu,
  xunfei,
  tencent,
  bedrock,
  cohere,
  jina,
  ali,
  dify,
  coze,
}

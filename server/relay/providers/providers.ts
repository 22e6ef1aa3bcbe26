import type { ChannelType, Family } from '../../../core/channels/types/types.ts'
import { ali } from './ali/ali.ts'
import { anthropic } from './anthropic/anthropic.ts'
import { baidu } from './baidu/baidu.ts'
import { bedrock } from './bedrock/bedrock.ts'
import { cloudflare } from './cloudflare/cloudflare.ts'
import { cohere } from './cohere/cohere.ts'
import { coze } from './coze/coze.ts'
import { dify } from './dify/dify.ts'
import { gemini } from './gemini/gemini.ts'
import { jina } from './jina/jina.ts'
import { ollama } from './ollama/ollama.ts'
import { azure } from './openai/azure.ts'
import { openai } from './openai/openai.ts'
import type { Provider } from './provider.ts'
import { qianfan } from './qianfan/qianfan.ts'
import { tencent } from './tencent/tencent.ts'
import { vertex } from './vertex/vertex.ts'
import { xunfei } from './xunfei/xunfei.ts'
import { zhipuV3 } from './zhipu/v3.ts'
import { zhipu } from './zhipu/v4.ts'

/** All providers by family. */
export const PROVIDERS: Record<Family, Provider> = {
  openai,
  azure,
  anthropic,
  gemini,
  vertex,
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

/** Returns the provider of a channel type. Throws for types that serve only tasks, because these have no family. */
export function providerFor({ family, name }: ChannelType): Provider {
  if (!family) throw new Error(`${name} has no conversations`)
  return PROVIDERS[family]
}

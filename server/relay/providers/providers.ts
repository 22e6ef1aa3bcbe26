import type { Family } from '../../../core/channels/types.ts'
import { ali } from './ali/ali.ts'
import { anthropic } from './anthropic/anthropic.ts'
import { bedrock } from './bedrock/bedrock.ts'
import { cohere } from './cohere/cohere.ts'
import { jina } from './jina/jina.ts'
import { azure } from './openai/azure.ts'
import { openai } from './openai/openai.ts'
import type { Provider } from './provider.ts'

/** Does not compile while a family has no provider. */
export const PROVIDERS: Record<Family, Provider> = { openai, azure, anthropic, bedrock, cohere, jina, ali }

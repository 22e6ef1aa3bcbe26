import type { Family } from '../../../core/channels/types.ts'
import { anthropic } from './anthropic/anthropic.ts'
import { cloudflare } from './cloudflare/cloudflare.ts'
import { ollama } from './ollama/ollama.ts'
import { azure } from './openai/azure.ts'
import { openai } from './openai/openai.ts'
import type { Provider } from './provider.ts'

/** Does not compile while a family has no provider. */
export const PROVIDERS: Record<Family, Provider> = { openai, azure, anthropic, ollama, cloudflare }

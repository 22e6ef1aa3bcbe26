import { recordOf } from '../../../../core/records.ts'
import type { Reasoning } from '../../conversation/conversation.ts'
import type { Body } from '../../dialects/dialect.ts'
import type { ProviderRequest } from '../provider.ts'
import { thinkingConfig } from './models.ts'

/** Returns the client's bytes, or a changed body if the suffix of the model name sets the thinking config. */
export function nativeContent(
  { raw, body }: Pick<ProviderRequest, 'raw' | 'body'>,
  { model, reasoning }: { model: string; reasoning: Reasoning | undefined },
): Buffer | string {
  const config = thinkingConfig(reasoning, model)
  return config ? JSON.stringify(withThinking(body, config)) : raw
}

function withThinking(body: Body, config: Record<string, unknown>): Body {
  const { generationConfig, generation_config, ...rest } = body
  const {
    thinkingConfig: _,
    thinking_config: __,
    ...otherFields
  } = { ...recordOf(generation_config), ...recordOf(generationConfig) }
  return { ...rest, generationConfig: { ...otherFields, thinkingConfig: config } }
}

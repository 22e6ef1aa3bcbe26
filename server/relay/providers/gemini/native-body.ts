import type { Reasoning } from '../../conversation/conversation.ts'
import type { Body } from '../../dialects/dialect.ts'
import { objectOf } from '../../json.ts'
import type { Ask } from '../provider.ts'
import { thinkingConfig } from './models.ts'

/** The client's own bytes, unless the model's name asked for thinking: then what the body says of it is replaced. */
export function nativeContent(
  { raw, body }: Pick<Ask, 'raw' | 'body'>,
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
    ...kept
  } = { ...objectOf(generation_config), ...objectOf(generationConfig) }
  return { ...rest, generationConfig: { ...kept, thinkingConfig: config } }
}

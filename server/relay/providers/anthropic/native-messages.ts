import { defined, recordOf } from '../../../../core/records.ts'
import { type Json, numberOf } from '../../json.ts'
import type { ProviderRequest } from '../provider.ts'
import { claudeModel } from './models.ts'
import { thinkingFields } from './thinking.ts'
import { allCallsHaveThinking } from './turn-blocks.ts'

/**
 * Returns the client's bytes, so that prompt caches and signatures remain valid. Returns a changed body if the
 * upstream's model name differs from the client's, or if it ends in `-thinking`.
 */
export function nativeMessages({
  raw,
  body,
  model: modelName,
}: Pick<ProviderRequest, 'raw' | 'body' | 'model'>): Buffer | string {
  const model = claudeModel(modelName)
  if (!model.hasThinkingSuffix && body.model === modelName) return raw
  return JSON.stringify({ ...withClaudeThinking(body, modelName), model: model.name })
}

/** Enables thinking for a model name with `-thinking`, unless the client sets `thinking` or the history excludes it. */
export function withClaudeThinking(body: Readonly<Json>, modelName: string): Json {
  const model = claudeModel(modelName)
  if (!model.hasThinkingSuffix || body.thinking !== undefined || !allCallsHaveThinking(body.messages))
    return { ...body }
  const limits = defined({ maxTokens: numberOf(body.max_tokens) })
  const { thinking, maxTokens } = thinkingFields(limits, model, { isThinkingPossible: true })
  if (!thinking) return { ...body }
  const { temperature: _t, top_p: _p, top_k: _k, ...rest } = body
  return {
    ...rest,
    max_tokens: maxTokens,
    thinking,
    ...(thinking.type === 'enabled' && withoutForcedChoice(body.tool_choice)),
  }
}

/** Returns `auto` for a choice that forces a call, because thinking models reject it. Returns {} for other choices. */
function withoutForcedChoice(choice: unknown): Json {
  const { type, disable_parallel_tool_use } = recordOf(choice)
  if (type !== 'any' && type !== 'tool') return {}
  return { tool_choice: { type: 'auto', ...(disable_parallel_tool_use === true && { disable_parallel_tool_use }) } }
}

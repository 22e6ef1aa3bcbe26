import { isRecord, recordOf } from '../../../../core/records.ts'
import type { Conversation } from '../../conversation/conversation.ts'
import { type Json, numberOf, objectsOf } from '../../json.ts'
import type { ProviderRequest } from '../provider.ts'
import { claudeModel } from './models.ts'
import { thinkingFields } from './thinking.ts'

/**
 * Returns the client's own bytes, so that prompt caches and signatures remain valid. Returns a changed body if the
 * upstream has another name for the model, or if the name ends in `-thinking`.
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

/** Enables thinking for a model name with `-thinking`, unless the client sets `thinking` or the history forbids it. */
export function withClaudeThinking(body: Readonly<Json>, modelName: string): Json {
  const model = claudeModel(modelName)
  if (!model.hasThinkingSuffix || body.thinking !== undefined || !historyHasThinking(body)) return { ...body }
  const limits: Pick<Conversation, 'maxTokens'> = { ...maxTokensOf(body) }
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

function maxTokensOf({ max_tokens }: Readonly<Json>): Pick<Conversation, 'maxTokens'> {
  const maxTokens = numberOf(max_tokens)
  return maxTokens === undefined ? {} : { maxTokens }
}

/** Replaces a choice that forces a call, because thinking models reject forced calls. Returns {} for other choices. */
function withoutForcedChoice(choice: unknown): Json {
  const { type, disable_parallel_tool_use } = recordOf(choice)
  if (type !== 'any' && type !== 'tool') return {}
  return { tool_choice: { type: 'auto', ...(disable_parallel_tool_use === true && { disable_parallel_tool_use }) } }
}

/**
 * Whether all assistant messages with calls begin with a thinking block. With thinking enabled, the API requires this.
 */
function historyHasThinking({ messages }: Readonly<Json>): boolean {
  return objectsOf(messages).every(({ role, content }) => {
    const blocks = objectsOf(content)
    const first = blocks[0]
    return (
      role !== 'assistant' ||
      !blocks.some(({ type }) => type === 'tool_use') ||
      (isRecord(first) && (first.type === 'thinking' || first.type === 'redacted_thinking'))
    )
  })
}

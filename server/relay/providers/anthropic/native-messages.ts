import type { Conversation } from '../../conversation/conversation.ts'
import { isObject, type Json, numberOf, objectOf, objectsOf } from '../../json.ts'
import type { Ask } from '../provider.ts'
import { claudeModel } from './models.ts'
import { thinkingFields } from './thinking.ts'

/**
 * A Messages request for an upstream that speaks the same: the client's own bytes, so that its prompt cache and signatures
 * hold, unless the model has another name there.
 */
export function nativeMessages({ raw, body, model: named }: Pick<Ask, 'raw' | 'body' | 'model'>): Buffer | string {
  const model = claudeModel(named)
  if (!model.thinkingSuffix && body.model === named) return raw
  return JSON.stringify({ ...withThinking(body, named), model: model.name })
}

/**
 * The body with the thoughts that a `-thinking` name asks for; those that the client asks for itself win. Also for clouds that
 * take this body under an address with the model in it.
 */
export function withThinking(body: Readonly<Json>, named: string): Json {
  const model = claudeModel(named)
  if (!model.thinkingSuffix || body.thinking !== undefined || !historyThinks(body)) return { ...body }
  const asked: Pick<Conversation, 'maxTokens'> = { ...maxTokensOf(body) }
  const { thinking, maxTokens } = thinkingFields(asked, model, { possible: true })
  if (!thinking) return { ...body }
  const { temperature: _t, top_p: _p, top_k: _k, ...rest } = body
  return { ...rest, max_tokens: maxTokens, thinking, ...(thinking.type === 'enabled' && unforced(body.tool_choice)) }
}

function maxTokensOf({ max_tokens }: Readonly<Json>): Pick<Conversation, 'maxTokens'> {
  const maxTokens = numberOf(max_tokens)
  return maxTokens === undefined ? {} : { maxTokens }
}

/** A call cannot be forced from a model that thinks. */
function unforced(choice: unknown): Json {
  const { type, disable_parallel_tool_use } = objectOf(choice)
  if (type !== 'any' && type !== 'tool') return {}
  return { tool_choice: { type: 'auto', ...(disable_parallel_tool_use === true && { disable_parallel_tool_use }) } }
}

/** Whether all turns with calls begin with a thought, as they must when thoughts are asked for. */
function historyThinks({ messages }: Readonly<Json>): boolean {
  return objectsOf(messages).every(({ role, content }) => {
    const blocks = objectsOf(content)
    const first = blocks[0]
    return (
      role !== 'assistant' ||
      !blocks.some(({ type }) => type === 'tool_use') ||
      (isObject(first) && (first.type === 'thinking' || first.type === 'redacted_thinking'))
    )
  })
}

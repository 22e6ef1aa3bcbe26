import type { ReplyRules } from '../../../../core/channels/quirks.ts'
import type { Usage } from '../../../../core/pricing/prices.ts'
import { countOf, type Json, objectOf, objectsOf } from '../../json.ts'
import { readUsage } from '../../usage.ts'

/** The usage in a chat completion or a chunk of one, wherever the vendor puts it. */
export function chatUsage(body: Json, { completionFromTotal }: ReplyRules): Usage | undefined {
  const reported =
    [body.usage, objectsOf(body.choices)[0]?.usage, objectOf(body.x_groq).usage].find(isReported) ?? botUsage(body)
  const usage = readUsage(reported)
  if (!usage) return undefined
  const { total_tokens, reasoning_tokens } = objectOf(reported)
  const reasoningTokens = usage.reasoningTokens || countOf(reasoning_tokens)
  if (!completionFromTotal) return { ...usage, reasoningTokens }
  const rest = countOf(total_tokens) - usage.promptTokens
  return { ...usage, reasoningTokens, completionTokens: Math.max(rest, usage.completionTokens) }
}

function isReported(usage: unknown): boolean {
  return readUsage(usage) !== undefined
}

/** Ark's bots ask several models for one reply; all of them are paid. */
function botUsage(body: Json): Json | undefined {
  const parts = objectsOf(objectOf(body.bot_usage).model_usage)
  if (parts.length === 0) return undefined
  const sum = (name: string) => parts.reduce((total, part) => total + countOf(part[name]), 0)
  return {
    prompt_tokens: sum('prompt_tokens'),
    completion_tokens: sum('completion_tokens'),
  }
}

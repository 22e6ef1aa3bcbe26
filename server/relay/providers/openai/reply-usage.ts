import type { ReplyRules } from '../../../../core/channels/quirks.ts'
import type { Usage } from '../../../../core/pricing/prices.ts'
import { readUsage } from '../../charging/usage.ts'
import { arrayOf, countOf, isObject, type Json, objectOf, objectsOf } from '../../json.ts'

/** The usage in a chat completion or a chunk of one, wherever the vendor puts it. */
export function chatUsage(body: Json, { completionFromTotal }: ReplyRules): Usage | undefined {
  for (const reported of placesOf(body)) {
    const usage = readUsage(reported)
    if (usage) return completed(usage, objectOf(reported), completionFromTotal === true)
  }
  return undefined
}

/** Where a usage may stand. Most chunks have none, and no place for one. */
function placesOf(body: Json): unknown[] {
  const [choice] = arrayOf(body.choices)
  const places = [body.usage, isObject(choice) ? choice.usage : undefined]
  if (body.x_groq) places.push(objectOf(body.x_groq).usage)
  if (body.bot_usage) places.push(botUsage(body))
  return places
}

function completed(usage: Usage, { total_tokens, reasoning_tokens }: Json, fromTotal: boolean): Usage {
  const reasoningTokens = usage.reasoningTokens || countOf(reasoning_tokens)
  if (!fromTotal) return { ...usage, reasoningTokens }
  const rest = countOf(total_tokens) - usage.promptTokens
  return { ...usage, reasoningTokens, completionTokens: Math.max(rest, usage.completionTokens) }
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

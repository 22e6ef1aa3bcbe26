import type { ReplyRules } from '../../../../core/channels/settings/quirks.ts'
import type { Usage } from '../../../../core/pricing/prices.ts'
import { isRecord, recordOf } from '../../../../core/records.ts'
import { readUsage } from '../../charging/usage.ts'
import { arrayOf, countOf, type Json, objectsOf } from '../../json.ts'

/** Returns the usage in a chat completion or chunk, if any, from OpenAI's field or from a vendor's own field. */
export function readChatUsage(body: Json, { completionFromTotal }: ReplyRules): Usage | undefined {
  for (const reported of usageFieldsOf(body)) {
    const usage = readUsage(reported)
    if (usage) return withAllTokens(usage, recordOf(reported), completionFromTotal === true)
  }
  return undefined
}

/** Returns the values of all fields that may contain the usage. */
function usageFieldsOf(body: Json): unknown[] {
  const [choice] = arrayOf(body.choices)
  const fields = [body.usage, isRecord(choice) ? choice.usage : undefined]
  if (body.x_groq) fields.push(recordOf(body.x_groq).usage)
  if (body.bot_usage) fields.push(botUsage(body))
  return fields
}

/**
 * Adds reasoning tokens that the vendor reports beside the details. If `fromTotal` is true, the completion tokens are
 * at least the total minus the prompt tokens.
 */
function withAllTokens(usage: Usage, { total_tokens, reasoning_tokens }: Json, fromTotal: boolean): Usage {
  const reasoningTokens = usage.reasoningTokens || countOf(reasoning_tokens)
  if (!fromTotal) return { ...usage, reasoningTokens }
  const tokensAfterPrompt = countOf(total_tokens) - usage.promptTokens
  return { ...usage, reasoningTokens, completionTokens: Math.max(tokensAfterPrompt, usage.completionTokens) }
}

/** Returns the total usage of an Ark bot, which calls several models for one reply. */
function botUsage(body: Json): Json | undefined {
  const parts = objectsOf(recordOf(body.bot_usage).model_usage)
  if (parts.length === 0) return undefined
  const sum = (name: string) => parts.reduce((total, part) => total + countOf(part[name]), 0)
  return { prompt_tokens: sum('prompt_tokens'), completion_tokens: sum('completion_tokens') }
}

import type { Usage } from '../../../core/pricing/prices.ts'
import { plainUsage, plausibleUsage } from '../charging/usage.ts'
import type { ReplyEvent } from '../conversation/conversation.ts'
import { countOf, textOf } from '../json.ts'

/* Each of these functions returns one event, or no event if the upstream's value is missing, empty or invalid. */

export function textEvents(value: unknown): ReplyEvent[] {
  const text = textOf(value)
  return text === undefined ? [] : [{ kind: 'text', text }]
}

export function reasoningEvents(value: unknown): ReplyEvent[] {
  const text = textOf(value)
  return text === undefined ? [] : [{ kind: 'reasoning', text }]
}

export function usageEvents(usage: Usage | undefined): ReplyEvent[] {
  return usage ? [{ kind: 'usage', usage }] : []
}

/** Returns the usage of an upstream that reports only numbers of text tokens. */
export function tokenUsageEvents(promptTokens: unknown, completionTokens: unknown): ReplyEvent[] {
  return usageEvents(plausibleUsage(plainUsage(countOf(promptTokens), countOf(completionTokens))))
}

import type { Usage } from '../../../../core/pricing/prices.ts'
import { recordOf } from '../../../../core/records.ts'
import { plainUsage, plausibleUsage } from '../../charging/usage.ts'
import { countOf, type Json } from '../../json.ts'

/**
 * Combines the usage that Anthropic reports: the prompt in `message_start`, the rest in `message_delta`. Each number is
 * a running total. If a later number is missing or zero, the earlier one remains.
 */
export function messagesUsage(): { read(reported: unknown): Usage | undefined } {
  const counts: Record<string, number> = {}
  return {
    /** Returns the usage so far, or undefined if it is zero or implausible. */
    read(reported) {
      const newCounts = countsIn(recordOf(reported))
      for (const [name, count] of Object.entries(newCounts)) if (count > 0) counts[name] = count
      return plausibleUsage(usageOf(counts))
    },
  }
}

function countsIn(usage: Json): Record<string, number> {
  const split = recordOf(usage.cache_creation)
  const fiveMinutes = countOf(split.ephemeral_5m_input_tokens)
  const hour = countOf(split.ephemeral_1h_input_tokens)
  return {
    input: countOf(usage.input_tokens),
    output: countOf(usage.output_tokens),
    read: countOf(usage.cache_read_input_tokens),
    write: countOf(usage.cache_creation_input_tokens) || fiveMinutes + hour,
    hour,
    thinking: countOf(recordOf(usage.output_tokens_details).thinking_tokens),
  }
}

/** Converts the counts. Unlike Anthropic's `input_tokens`, the gateway's prompt tokens include cached tokens. */
function usageOf({
  input = 0,
  output = 0,
  read = 0,
  write = 0,
  hour = 0,
  thinking = 0,
}: Record<string, number>): Usage {
  return {
    ...plainUsage(input + read + write, output),
    cachedTokens: read,
    cacheWriteTokens: write,
    cacheWriteHourTokens: Math.min(hour, write),
    reasoningTokens: Math.min(thinking, output),
  }
}

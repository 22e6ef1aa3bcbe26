import type { LogRow } from '../../api/logs.ts'
import type { LogDetails, ToolCalls } from './log-details.ts'

type PartKind = 'prompt' | 'cached' | 'written' | 'writtenHour' | 'audioPrompt' | 'completion' | 'audioCompletion'

/** Tokens of one kind, and what a million of them cost in dollars, before the ratio of the group. */
interface PricePart {
  kind: PartKind
  tokens: number
  perMillion: number
}

export type RowPrice = { groupRatio: number; total: number; tools: readonly ToolCalls[] } & (
  | { parts: PricePart[] }
  | { perCall: number }
)

/** What an hour in the cache costs, in writes for five minutes. */
const HOUR_WRITE = 1.6
const MILLION = 1_000_000

/** How the price of a row is computed, in dollars; undefined when the row does not tell. */
export function priceOf(
  { prompt_tokens, completion_tokens }: Pick<LogRow, 'prompt_tokens' | 'completion_tokens'>,
  details: LogDetails,
  quotaPerUnit: number,
): RowPrice | undefined {
  const { modelRatio, modelPrice, groupRatio = 1, completionRatio = 1, audioRatio = 1, toolCalls: tools } = details
  const toolSum = tools.reduce((total, { calls, price }) => total + calls * price, 0)
  if (modelPrice !== undefined) {
    return { groupRatio, perCall: modelPrice, tools, total: (modelPrice + toolSum) * groupRatio }
  }
  if (modelRatio === undefined) return undefined

  const base = (modelRatio * MILLION) / (details.quotaPerUnit || quotaPerUnit)
  // A part never counts for more than what is left of its whole.
  const cached = Math.min(details.cacheTokens ?? 0, prompt_tokens)
  const written = Math.min(details.writtenTokens ?? 0, prompt_tokens - cached)
  const writtenHour = Math.min(details.writtenHourTokens ?? 0, written)
  const audioPrompt = Math.min(details.audioInput ?? 0, prompt_tokens - cached - written)
  const audioCompletion = Math.min(details.audioOutput ?? 0, completion_tokens)
  const writtenPrice = base * (details.writtenRatio ?? 1)
  const all: PricePart[] = [
    { kind: 'prompt', tokens: prompt_tokens - cached - written - audioPrompt, perMillion: base },
    { kind: 'cached', tokens: cached, perMillion: base * (details.cacheRatio ?? 1) },
    { kind: 'written', tokens: written - writtenHour, perMillion: writtenPrice },
    { kind: 'writtenHour', tokens: writtenHour, perMillion: writtenPrice * HOUR_WRITE },
    { kind: 'audioPrompt', tokens: audioPrompt, perMillion: base * audioRatio },
    { kind: 'completion', tokens: completion_tokens - audioCompletion, perMillion: base * completionRatio },
    {
      kind: 'audioCompletion',
      tokens: audioCompletion,
      perMillion: base * audioRatio * (details.audioCompletionRatio ?? 1),
    },
  ]
  const used = all.filter(({ tokens }) => tokens > 0)
  const parts = used.length > 0 ? used : all.filter(({ kind }) => kind === 'prompt')
  const sum = parts.reduce((total, { tokens, perMillion }) => total + (tokens / MILLION) * perMillion, 0)
  return { groupRatio, parts, tools, total: (sum + toolSum) * groupRatio }
}

/** Dollars as a computation has them: at least two decimals, and what is left of eight. */
export function exactDollars(amount: number): string {
  return `$${amount.toLocaleString('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 8 })}`
}

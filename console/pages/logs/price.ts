import type { LogRow } from '../../api/logs.ts'
import type { LogDetails, ToolCalls } from './log-details.ts'

type PartKind =
  | 'prompt'
  | 'cached'
  | 'written'
  | 'writtenHour'
  | 'audioPrompt'
  | 'image'
  | 'completion'
  | 'reasoning'
  | 'audioCompletion'

/** Tokens of one kind, and their price in dollars per million, before the group ratio. */
interface PricePart {
  kind: PartKind
  tokens: number
  perMillion: number
}

/** The computation of a row's price. `total` is in dollars, after the group ratio. */
export type RowPrice = { groupRatio: number; total: number; tools: readonly ToolCalls[] } & (
  | { parts: PricePart[] }
  | { perCall: number }
)

/** Price of caching for an hour, relative to caching for five minutes. */
const HOUR_WRITE = 1.6
const MILLION = 1_000_000

/** Returns the computation of a row's price, in dollars. Undefined if the row has neither a price nor a ratio. */
export function rowPriceOf(
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
  // The parts must not add up to more than all prompt tokens, or all completion tokens.
  const cached = Math.min(details.cacheTokens ?? 0, prompt_tokens)
  const cacheWrites = Math.min(details.cacheWriteTokens ?? 0, prompt_tokens - cached)
  const hourCacheWrites = Math.min(details.hourCacheWriteTokens ?? 0, cacheWrites)
  const audioPrompt = Math.min(details.audioInput ?? 0, prompt_tokens - cached - cacheWrites)
  const { imageRatio, reasoningRatio } = details
  const plain = prompt_tokens - cached - cacheWrites - audioPrompt
  const image = imageRatio === undefined ? 0 : Math.min(details.imageTokens ?? 0, plain)
  const audioCompletion = Math.min(details.audioOutput ?? 0, completion_tokens)
  const completion = completion_tokens - audioCompletion
  const reasoning = reasoningRatio === undefined ? 0 : Math.min(details.reasoningTokens ?? 0, completion)
  const cacheWritePrice = base * (details.cacheWriteRatio ?? 1)
  const allParts: PricePart[] = [
    { kind: 'prompt', tokens: plain - image, perMillion: base },
    { kind: 'cached', tokens: cached, perMillion: base * (details.cacheRatio ?? 1) },
    { kind: 'written', tokens: cacheWrites - hourCacheWrites, perMillion: cacheWritePrice },
    { kind: 'writtenHour', tokens: hourCacheWrites, perMillion: cacheWritePrice * HOUR_WRITE },
    { kind: 'audioPrompt', tokens: audioPrompt, perMillion: base * audioRatio },
    { kind: 'image', tokens: image, perMillion: base * (imageRatio ?? 1) },
    { kind: 'completion', tokens: completion - reasoning, perMillion: base * completionRatio },
    { kind: 'reasoning', tokens: reasoning, perMillion: base * (reasoningRatio ?? 1) },
    {
      kind: 'audioCompletion',
      tokens: audioCompletion,
      perMillion: base * audioRatio * (details.audioCompletionRatio ?? 1),
    },
  ]
  const usedParts = allParts.filter(({ tokens }) => tokens > 0)
  const parts = usedParts.length > 0 ? usedParts : allParts.filter(({ kind }) => kind === 'prompt')
  const sum = parts.reduce((total, { tokens, perMillion }) => total + (tokens / MILLION) * perMillion, 0)
  return { groupRatio, parts, tools, total: (sum + toolSum) * groupRatio }
}

/** Formats dollars in a computation, with two to eight decimals. */
export function exactDollars(amount: number): string {
  return `$${amount.toLocaleString('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 8 })}`
}

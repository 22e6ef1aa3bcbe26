import { GatewayError } from '../errors.ts'
import { parseObject } from '../input.ts'
import { chargeQuota, type Price, priceFromLog, priceToLog, type Usage } from '../pricing/prices.ts'
import { type PricedCalls, toolCallsFromLog, toolQuota } from '../pricing/tool-prices.ts'
import { LOG_TYPE, type Log } from './log.ts'
import { TEST_NAME } from './remarks.ts'

/** A log row's price, computed again from the row only. */
export interface Receipt {
  log: Log
  price: Price
  usage: Usage
  /** Calls of tools that the upstream ran, with their price. */
  toolCalls: PricedCalls[]
  /** The row's quota. */
  charged: number
  recomputed: number
  equal: boolean
  /** False for channel tests. Their rows have a price, but no user is charged. */
  isCharged: boolean
}

type ReceiptFields = Readonly<Record<string, number | string | boolean>>

/** Cached fields by price object (the same until prices change), for usage without cache, reasoning and audio. */
const plainFields = new WeakMap<Price, ReceiptFields>()

/**
 * Returns the fields of a log row's `other` from which the price can be computed again. For a price without conditions
 * and usage of plain tokens, returns the same object in each call.
 */
export function receiptFields(price: Price, usage: Usage): ReceiptFields {
  if (price.conditions || !isPlain(usage)) return fieldsOf(price, usage)
  const cachedFields = plainFields.get(price)
  if (cachedFields) return cachedFields
  const fields = fieldsOf(price, usage)
  plainFields.set(price, fields)
  return fields
}

function isPlain(usage: Usage): boolean {
  const { cachedTokens, cacheWriteTokens, cacheWriteHourTokens, audioPromptTokens, audioCompletionTokens } = usage
  const special = cachedTokens + cacheWriteTokens + cacheWriteHourTokens + audioPromptTokens + audioCompletionTokens
  return special + usage.reasoningTokens === 0
}

function fieldsOf(price: Price, usage: Usage): ReceiptFields {
  const { promptTokens, completionTokens, cachedTokens, cacheWriteTokens, audioPromptTokens, audioCompletionTokens } =
    usage
  const { cacheWriteHourTokens, reasoningTokens } = usage
  const fields: Record<string, number | string | boolean> = priceToLog(price, usage)
  if (cachedTokens > 0) fields.cache_tokens = cachedTokens
  if (cacheWriteTokens > 0) fields.cache_creation_tokens = cacheWriteTokens
  if (cacheWriteHourTokens > 0) fields.cache_creation_1h_tokens = cacheWriteHourTokens
  if (price.imageRatio !== undefined && usage.imagePromptTokens) fields.image_tokens = usage.imagePromptTokens
  if (reasoningTokens > 0) fields.reasoning_tokens = reasoningTokens
  if (audioPromptTokens > 0 || audioCompletionTokens > 0) {
    fields.audio = true
    fields.audio_input = audioPromptTokens
    fields.audio_output = audioCompletionTokens
    fields.text_input = promptTokens - audioPromptTokens
    fields.text_output = completionTokens - audioCompletionTokens
  }
  return fields
}

/** Computes the price of a log row again. Throws LOG_WITHOUT_RECEIPT for other types and rows without price fields. */
export function recompute(log: Log): Receipt {
  const result = recomputePrice(log)
  const equal = result.recomputed === log.quota
  return { ...result, log, charged: log.quota, equal, isCharged: log.content !== TEST_NAME }
}

type PricedLog = Pick<Log, 'id' | 'type' | 'prompt_tokens' | 'completion_tokens' | 'other'>

/** Like `recompute`, but does not compare the price with the row's quota. */
export function recomputePrice(log: PricedLog): Pick<Receipt, 'price' | 'usage' | 'toolCalls' | 'recomputed'> {
  // Rows of other programs may contain any text.
  const other = parseObject(log.other) ?? {}
  const price = priceFromLog(other)
  if (log.type !== LOG_TYPE.consumption || !price) throw new GatewayError('LOG_WITHOUT_RECEIPT', { id: log.id })
  const count = (name: string) => (typeof other[name] === 'number' ? other[name] : 0)
  const usage: Usage = {
    promptTokens: log.prompt_tokens,
    completionTokens: log.completion_tokens,
    cachedTokens: count('cache_tokens'),
    cacheWriteTokens: count('cache_creation_tokens'),
    cacheWriteHourTokens: count('cache_creation_1h_tokens'),
    audioPromptTokens: count('audio_input'),
    audioCompletionTokens: count('audio_output'),
    reasoningTokens: count('reasoning_tokens'),
    imagePromptTokens: count('image_tokens'),
  }
  // If the hold was lost, `uncovered` is the part of the price that was not charged.
  const toolCalls = toolCallsFromLog(other.tool_calls)
  const recomputed = chargeQuota(price, usage) + toolQuota(price, toolCalls) - count('uncovered')
  return { price, usage, toolCalls, recomputed }
}

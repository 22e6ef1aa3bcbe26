import type { TFunction } from 'i18next'
import { parseJsonObject } from '../../components/json-text.ts'
import { isRecord } from '../../records.ts'

/** The number of calls of one tool, and the price in dollars per call. */
export interface ToolCalls {
  tool: string
  calls: number
  price: number
}

/** The details of a row, from its JSON column `other`. Missing and invalid fields are undefined. */
export interface LogDetails {
  modelRatio: number | undefined
  completionRatio: number | undefined
  groupRatio: number | undefined
  /** Dollars per call; undefined for a model that is billed by tokens. */
  modelPrice: number | undefined
  quotaPerUnit: number | undefined
  cacheTokens: number | undefined
  cacheRatio: number | undefined
  cacheWriteTokens: number | undefined
  /** How many of the `cacheWriteTokens` are cached for an hour. */
  hourCacheWriteTokens: number | undefined
  cacheWriteRatio: number | undefined
  audioInput: number | undefined
  audioOutput: number | undefined
  textInput: number | undefined
  textOutput: number | undefined
  audioRatio: number | undefined
  audioCompletionRatio: number | undefined
  /** Calls of tools that the upstream ran. */
  toolCalls: ToolCalls[]
  reasoningTokens: number | undefined
  /** Price of reasoning tokens relative to prompt tokens, if it differs from that of other completion tokens. */
  reasoningRatio: number | undefined
  imageTokens: number | undefined
  imageRatio: number | undefined
  /** The conditions that changed the price of the request, as text. */
  priceConditions: string | undefined
  reasoningEffort: string | undefined
  /** Time to first token in milliseconds; undefined if not measured, such as for a reply that was not streamed. */
  firstTokenMs: number | undefined
  upstreamModel: string | undefined
  /** Why the reply ended early; `unknown` if the row has no reason. Undefined for a complete reply. */
  endReason: string | undefined
  /** HTTP status of a failed request. `code` is its error code. */
  status: number | undefined
  code: string | undefined
  isEstimated: boolean
  isRealtime: boolean
  holdQuota: number | undefined
  /** Ids of the tried channels, in order. Only administrators get this field, `keyName` and `sensitiveWords`. */
  triedChannels: string[]
  keyName: string | undefined
  sensitiveWords: string[]
}

export function readDetails(other: string): LogDetails {
  // Older versions or other programs may have written text that is not a JSON object.
  const fields = parseJsonObject(other) ?? {}
  const admin = asRecord(fields.admin_info)
  return {
    modelRatio: nonNegative(fields.model_ratio),
    completionRatio: nonNegative(fields.completion_ratio),
    groupRatio: nonNegative(fields.group_ratio),
    modelPrice: nonNegative(fields.model_price),
    quotaPerUnit: nonNegative(fields.quota_per_unit),
    cacheTokens: nonNegative(fields.cache_tokens),
    cacheRatio: nonNegative(fields.cache_ratio),
    cacheWriteTokens: nonNegative(fields.cache_creation_tokens),
    hourCacheWriteTokens: nonNegative(fields.cache_creation_1h_tokens),
    cacheWriteRatio: nonNegative(fields.cache_creation_ratio),
    audioInput: nonNegative(fields.audio_input),
    audioOutput: nonNegative(fields.audio_output),
    textInput: nonNegative(fields.text_input),
    textOutput: nonNegative(fields.text_output),
    audioRatio: nonNegative(fields.audio_ratio),
    audioCompletionRatio: nonNegative(fields.audio_completion_ratio),
    toolCalls: toolCalls(fields.tool_calls),
    reasoningTokens: nonNegative(fields.reasoning_tokens),
    reasoningRatio: nonNegative(fields.reasoning_ratio),
    imageTokens: nonNegative(fields.image_tokens),
    imageRatio: nonNegative(fields.image_ratio),
    priceConditions: text(fields.price_conditions),
    reasoningEffort: text(fields.reasoning_effort),
    firstTokenMs: nonNegative(fields.frt),
    upstreamModel: text(fields.upstream_model_name),
    endReason: fields.incomplete === true ? (text(fields.end_reason) ?? 'unknown') : undefined,
    status: nonNegative(fields.status),
    code: text(fields.code),
    isEstimated: fields.estimated === true,
    isRealtime: fields.ws === true,
    holdQuota: nonNegative(fields.hold),
    triedChannels: texts(admin.use_channel),
    keyName: text(admin.key),
    sensitiveWords: texts(admin.sensitive_words),
  }
}

function asRecord(value: unknown): Record<string, unknown> {
  return isRecord(value) ? value : {}
}

/** Returns the text for the reason why a reply ended early. The reason may be empty or unknown to this console. */
export function endText(t: TFunction, reason: string): string {
  switch (reason) {
    case 'upstream-broke':
    case 'client-gone':
    case 'stopping':
    case 'quota':
    case 'unknown':
      return t(`log.end.${reason}`)
    default:
      return reason || t('log.end.unknown')
  }
}

/** Returns the value if it is a number of at least 0. Negative numbers mean that the row does not have the value. */
function nonNegative(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : undefined
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}

function toolCalls(value: unknown): ToolCalls[] {
  if (!Array.isArray(value)) return []
  return value.map(asRecord).flatMap((call) => {
    const [tool, calls, price] = [text(call.tool), nonNegative(call.calls), nonNegative(call.price)]
    return tool === undefined || calls === undefined || price === undefined ? [] : [{ tool, calls, price }]
  })
}

/** Returns the strings and numbers of a list, as strings, because old rows have channel ids as numbers. */
function texts(value: unknown): string[] {
  if (!Array.isArray(value)) return []
  return value.filter((item) => typeof item === 'string' || typeof item === 'number').map(String)
}

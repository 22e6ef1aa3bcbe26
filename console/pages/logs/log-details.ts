/** Number of calls of one tool, and dollars per call. */
export interface ToolCalls {
  tool: string
  calls: number
  price: number
}

/** The details of a row besides its columns. Missing, old or invalid fields are undefined. */
export interface LogDetails {
  modelRatio: number | undefined
  completionRatio: number | undefined
  groupRatio: number | undefined
  /** Dollars per call; undefined for models billed by tokens. */
  modelPrice: number | undefined
  quotaPerUnit: number | undefined
  cacheTokens: number | undefined
  cacheRatio: number | undefined
  cacheWriteTokens: number | undefined
  /** The part of `writtenTokens` cached for an hour. */
  hourCacheWriteTokens: number | undefined
  cacheWriteRatio: number | undefined
  audioInput: number | undefined
  audioOutput: number | undefined
  textInput: number | undefined
  textOutput: number | undefined
  audioRatio: number | undefined
  audioCompletionRatio: number | undefined
  /** Tools run by the upstream. */
  toolCalls: ToolCalls[]
  reasoningTokens: number | undefined
  /** Relative to prompt tokens; set if they cost more or less than other completion tokens. */
  reasoningRatio: number | undefined
  imageTokens: number | undefined
  imageRatio: number | undefined
  /** Properties of the request that changed its price, as text. */
  priceConditions: string | undefined
  reasoningEffort: string | undefined
  /** Undefined if not measured, as for replies that are not streamed. */
  firstTokenMs: number | undefined
  upstreamModel: string | undefined
  /** Why the reply ended early; `unknown` without a reason. */
  endReason: string | undefined
  /** HTTP status and code of a failed request. */
  status: number | undefined
  code: string | undefined
  isEstimated: boolean
  isRealtime: boolean
  holdQuota: number | undefined
  /** Ids of the channels tried, in order. Only administrators see these, the key and the words. */
  triedChannels: string[]
  keyName: string | undefined
  sensitiveWords: string[]
}

export function readDetails(other: string): LogDetails {
  const fields = recordIn(other)
  const admin = asRecord(fields.admin_info)
  const price = positive(fields.model_price)
  const firstToken = positive(fields.frt)
  return {
    modelRatio: positive(fields.model_ratio),
    completionRatio: positive(fields.completion_ratio),
    groupRatio: positive(fields.group_ratio),
    modelPrice: price,
    quotaPerUnit: positive(fields.quota_per_unit),
    cacheTokens: positive(fields.cache_tokens),
    cacheRatio: positive(fields.cache_ratio),
    cacheWriteTokens: positive(fields.cache_creation_tokens),
    hourCacheWriteTokens: positive(fields.cache_creation_1h_tokens),
    cacheWriteRatio: positive(fields.cache_creation_ratio),
    audioInput: positive(fields.audio_input),
    audioOutput: positive(fields.audio_output),
    textInput: positive(fields.text_input),
    textOutput: positive(fields.text_output),
    audioRatio: positive(fields.audio_ratio),
    audioCompletionRatio: positive(fields.audio_completion_ratio),
    toolCalls: toolCalls(fields.tool_calls),
    reasoningTokens: positive(fields.reasoning_tokens),
    reasoningRatio: positive(fields.reasoning_ratio),
    imageTokens: positive(fields.image_tokens),
    imageRatio: positive(fields.image_ratio),
    priceConditions: text(fields.price_conditions),
    reasoningEffort: text(fields.reasoning_effort),
    firstTokenMs: firstToken,
    upstreamModel: text(fields.upstream_model_name),
    endReason: fields.incomplete === true ? (text(fields.end_reason) ?? 'unknown') : undefined,
    status: positive(fields.status),
    code: text(fields.code),
    isEstimated: fields.estimated === true,
    isRealtime: fields.ws === true,
    holdQuota: positive(fields.hold),
    triedChannels: texts(admin.use_channel),
    keyName: text(admin.key),
    sensitiveWords: texts(admin.sensitive_words),
  }
}

function recordIn(json: string): Record<string, unknown> {
  if (json === '') return {}
  try {
    return asRecord(JSON.parse(json))
  } catch {
    return {} // older or other programs may have written anything
  }
}

function asRecord(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {}
}

/** Returns numbers from 0 up: -1 means "not billed by call", -1000 "not measured". */
function positive(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : undefined
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}

function toolCalls(value: unknown): ToolCalls[] {
  if (!Array.isArray(value)) return []
  return value.map(asRecord).flatMap((call) => {
    const [tool, calls, price] = [text(call.tool), positive(call.calls), positive(call.price)]
    return tool === undefined || calls === undefined || price === undefined ? [] : [{ tool, calls, price }]
  })
}

/** Channel ids are strings, but numbers in old rows. */
function texts(value: unknown): string[] {
  if (!Array.isArray(value)) return []
  return value.flatMap((item) => (typeof item === 'string' || typeof item === 'number' ? [String(item)] : []))
}

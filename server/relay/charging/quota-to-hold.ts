import type { Price } from '../../../core/pricing/prices.ts'
import type { Admitted } from '../admission/admission.ts'
import { estimatePromptText } from '../counting/estimate.ts'
import { CONTEXT_WINDOW, fileTokens, promptFile } from '../counting/files.ts'
import type { PromptContents } from '../counting/prompt.ts'
import { ENDPOINTS } from '../endpoints/endpoints.ts'
import { endpointHold } from '../endpoints/receipt.ts'
import type { SpooledUpload } from '../endpoints/upload.ts'
import { readTokens } from '../hosted/read-tokens.ts'

/** Returns the quota to hold for a request that is not a conversation. */
export function quotaToHold(admitted: Admitted, promptTokens: number): number {
  const { entry, model, body, upload, price } = admitted
  if (entry.operation === 'chat' || entry.operation === 'realtime')
    throw new Error('The hold of a conversation depends on its output')
  return endpointHold(ENDPOINTS[entry.operation], { ask: { model, body, upload }, price, promptTokens })
}

/** The requested model: its names at the upstreams of its channels, and its context window in tokens. */
interface UpstreamModel {
  readonly names: readonly string[]
  readonly contextWindow: number | undefined
}

/**
 * Returns an upper estimate of a prompt's cost, in tokens at the prompt's price. A token that costs more, such as audio
 * or a cache write, counts as several tokens. Includes what hosted tools may add to the prompt, up to the context
 * window.
 */
export function promptToHold(admitted: Admitted, upstreamModel: UpstreamModel): number {
  const { prompt, model, price, raw, upload, storedTokens = 0, hosted } = admitted
  const { names, contextWindow } = upstreamModel
  let tokens = prompt.texts.reduce((sum, text) => sum + estimatePromptText(text), prompt.otherTokens)
  tokens += upload ? formTokens(upload, model) : uncountedTokens(prompt, raw)
  const { count, surcharge } = prompt.files
    ? highestFileTokens(prompt.files, { names, contextWindow, price })
    : NO_FILES
  // Limit the stored tokens, because a prompt cannot exceed the context window.
  tokens += count + Math.min(storedTokens, contextWindow ?? CONTEXT_WINDOW)
  const toolTokens = hosted ? readTokens(hosted, upstreamModel, tokens) : 0
  return Math.ceil((tokens + surcharge) * cacheFactor(price, raw)) + toolTokens
}

const NO_FILES = { count: 0, surcharge: 0 }

/**
 * Returns the tokens of files, by the upstream model with the highest count. `surcharge` is the extra cost of audio, in
 * tokens at the prompt's price.
 */
function highestFileTokens(
  files: NonNullable<PromptContents['files']>,
  { names, contextWindow, price }: UpstreamModel & Pick<Admitted, 'price'>,
): { count: number; surcharge: number } {
  const counts = names.map((model) => {
    const { tokens, audio } = fileTokens(files, { model, contextWindow }, 'most')
    return { count: tokens, surcharge: audio * (Math.max(1, price.audioRatio) - 1) }
  })
  return counts.reduce((most, one) => (one.count + one.surcharge > most.count + most.surcharge ? one : most), NO_FILES)
}

/** Bytes of the names, brackets and small fields of a usual request. */
const OVERHEAD_BYTES = 512
/** Fraction of a body that is overhead, such as escapes and names of small fields. */
const OVERHEAD_FRACTION = 0.1
const BYTES_PER_TOKEN = 4
/** Bytes per number in an array of token ids. */
const BYTES_PER_NUMBER = 7

/**
 * Estimates the tokens of those bytes of a conversation's body that are neither counted texts nor counted files. The
 * whole body is forwarded, and an upstream may read fields that the gateway does not interpret.
 */
export function uncountedTokens({ texts, files, otherTokens }: PromptContents, raw: Buffer): number {
  let uncountedBytes = raw.length - OVERHEAD_BYTES - otherTokens * BYTES_PER_NUMBER
  if (uncountedBytes <= 0) return 0
  for (const text of texts) uncountedBytes -= Buffer.byteLength(text)
  // In the body, files are base64, which is a third longer.
  for (const { bytes = 0 } of files ?? []) uncountedBytes -= Math.ceil((bytes * 4) / 3)
  return Math.max(0, Math.ceil((uncountedBytes - raw.length * OVERHEAD_FRACTION) / BYTES_PER_TOKEN))
}

/**
 * Estimates the tokens of a form. Counts its texts, such as the prompt for a transcription, and voice samples in data
 * URLs.
 */
function formTokens({ fields }: Pick<SpooledUpload, 'fields'>, model: string): number {
  const values = fields.map(({ value }) => value)
  const isSample = (value: string) => value.startsWith('data:')
  const texts = values.filter((value) => !isSample(value))
  const bytes = texts.reduce((sum, text) => sum + Buffer.byteLength(text), -OVERHEAD_BYTES)
  const files = values.filter(isSample).map((sample) => promptFile(sample, 'audio/'))
  return Math.ceil(Math.max(0, bytes) / BYTES_PER_TOKEN) + fileTokens(files, { model }, 'most').tokens
}

/** A cache write for an hour costs 1.6 times as much as a cache write for five minutes. */
const HOUR_FACTOR = 1.6

/**
 * Returns the price factor for a prompt, which the upstream may write completely to its cache. A `\u` escape counts as
 * `cache_control`, because the escape may hide this name.
 */
function cacheFactor({ cacheWriteRatio }: Price, raw: Buffer): number {
  if (cacheWriteRatio <= 1) return 1
  return raw.includes('cache_control') || raw.includes('\\u00') ? cacheWriteRatio * HOUR_FACTOR : 1
}

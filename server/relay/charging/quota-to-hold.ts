import type { Price } from '../../../core/pricing/prices.ts'
import type { Admitted } from '../admission/admission.ts'
import { estimatePromptText } from '../counting/estimate.ts'
import { CONTEXT_WINDOW, fileTokens, promptFile } from '../counting/files.ts'
import type { PromptSize } from '../counting/prompt.ts'
import { ENDPOINTS } from '../endpoints/endpoints.ts'
import { endpointHold } from '../endpoints/receipt.ts'
import type { SpooledUpload } from '../endpoints/upload.ts'
import { readTokens } from '../hosted/read-tokens.ts'

/** Returns the quota to hold for a request that is not a conversation. */
export function quotaToHold(admitted: Admitted, promptTokens: number): number {
  const { entry, model, body, upload, price } = admitted
  if (entry.operation === 'chat' || entry.operation === 'realtime')
    throw new Error('A conversation holds by its output')
  return endpointHold(ENDPOINTS[entry.operation], { ask: { model, body, upload }, price, promptTokens })
}

/** The model that replies. */
interface AskedModel {
  /** The model's possible names at the channels. */
  readonly names: readonly string[]
  readonly contextWindow: number | undefined
}

/**
 * Returns an upper estimate of a prompt's cost, in plain prompt tokens: expensive parts, such as audio or cache writes, count
 * for more. Includes the input of hosted tools, within the context window.
 */
export function promptToHold(admitted: Admitted, known: AskedModel): number {
  const { prompt, model, price, raw, upload, storedTokens = 0, hosted } = admitted
  const { names, contextWindow } = known
  let tokens = prompt.texts.reduce((sum, text) => sum + estimatePromptText(text), prompt.otherTokens)
  tokens += upload ? formTokens(upload, model) : unreadTokens(prompt, raw)
  const { count, surcharge } = prompt.files ? dearestFiles(prompt.files, { names, contextWindow, price }) : NO_FILES
  // A prompt cannot exceed the context window.
  tokens += count + Math.min(storedTokens, contextWindow ?? CONTEXT_WINDOW)
  const reads = hosted ? readTokens(hosted, known, tokens) : 0
  return Math.ceil((tokens + surcharge) * cacheFactor(price, raw)) + reads
}

const NO_FILES = { count: 0, surcharge: 0 }

/** Returns the tokens of files at the model that counts the most, and the surcharge of their audio in plain tokens. */
function dearestFiles(
  files: NonNullable<PromptSize['files']>,
  { names, contextWindow, price }: AskedModel & Pick<Admitted, 'price'>,
): { count: number; surcharge: number } {
  const each = names.map((model) => {
    const { tokens, audio } = fileTokens(files, { model, contextWindow }, 'most')
    return { count: tokens, surcharge: audio * (Math.max(1, price.audioRatio) - 1) }
  })
  return each.reduce((most, one) => (one.count + one.surcharge > most.count + most.surcharge ? one : most), NO_FILES)
}

/** Names, brackets and small fields of a usual request, in bytes. */
const FRAME_BYTES = 512
/** Overhead of a text with escapes or many small parts. */
const FRAME_SHARE = 0.1
const BYTES_PER_TOKEN = 4
/** Characters per number in an array of tokens. */
const BYTES_PER_NUMBER = 7

/**
 * Estimates the tokens of a conversation's body beyond its counted texts and files, by size: the whole body is forwarded, and
 * an upstream may read fields that the gateway does not interpret.
 */
export function unreadTokens({ texts, files, otherTokens }: PromptSize, raw: Buffer): number {
  let unread = raw.length - FRAME_BYTES - otherTokens * BYTES_PER_NUMBER
  if (unread <= 0) return 0
  for (const text of texts) unread -= Buffer.byteLength(text)
  // Files are base64 in the body.
  for (const { bytes = 0 } of files ?? []) unread -= Math.ceil((bytes * 4) / 3)
  return Math.max(0, Math.ceil((unread - raw.length * FRAME_SHARE) / BYTES_PER_TOKEN))
}

/** Estimates the tokens of a form's texts, such as the prompt of a recording, and of samples of voices in data URLs. */
function formTokens({ fields }: Pick<SpooledUpload, 'fields'>, model: string): number {
  const values = fields.map(({ value }) => value)
  const isSample = (value: string) => value.startsWith('data:')
  const texts = values.filter((value) => !isSample(value))
  const bytes = texts.reduce((sum, text) => sum + Buffer.byteLength(text), -FRAME_BYTES)
  const files = values.filter(isSample).map((sample) => promptFile(sample, 'audio/'))
  return Math.ceil(Math.max(0, bytes) / BYTES_PER_TOKEN) + fileTokens(files, { model }, 'most').tokens
}

/** Cache writes for an hour cost 1.6 times those for five minutes. */
const HOUR_FACTOR = 1.6

/** Returns the price factor of a prompt that is written to the cache completely. Field names may contain escapes. */
function cacheFactor({ cacheWriteRatio }: Price, raw: Buffer): number {
  if (cacheWriteRatio <= 1) return 1
  return raw.includes('cache_control') || raw.includes('\\u00') ? cacheWriteRatio * HOUR_FACTOR : 1
}

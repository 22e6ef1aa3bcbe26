import type { Price } from '../../../core/pricing/prices.ts'
import type { Admitted } from '../admission/admission.ts'
import { estimateTokens } from '../counting/estimate.ts'
import { CONTEXT_WINDOW, fileTokens } from '../counting/files.ts'
import type { PromptSize } from '../counting/prompt.ts'
import { ENDPOINTS } from '../endpoints/endpoints.ts'
import { endpointHold } from '../endpoints/receipt.ts'

/** Returns the quota to set aside for a request that is no conversation. */
export function quotaToHold(admitted: Admitted, promptTokens: number): number {
  const { entry, model, body, upload, price } = admitted
  if (entry.operation === 'chat' || entry.operation === 'realtime')
    throw new Error('A conversation holds by its output')
  return endpointHold(ENDPOINTS[entry.operation], { ask: { model, body, upload }, price, promptTokens })
}

/**
 * Returns the tokens of a prompt, rather above than below what is charged, in plain prompt tokens: what costs more, such as sound
 * or what the cache keeps, counts for more. `names`: what the model may be called by the channels.
 */
export function promptToHold(
  { entry, prompt, price, raw, storedTokens = 0 }: Admitted,
  { names, contextWindow }: { names: readonly string[]; contextWindow: number | undefined },
): number {
  let tokens = prompt.texts.reduce((sum, text) => sum + estimateTokens(text), prompt.otherTokens)
  if (entry.operation === 'chat') tokens += unreadTokens(prompt, raw)
  if (prompt.files) {
    const { files } = prompt
    const costs = names.map((model) => {
      const { tokens, audio } = fileTokens(files, { model, contextWindow }, 'most')
      return tokens + audio * (Math.max(1, price.audioRatio) - 1)
    })
    tokens += Math.max(...costs)
  }
  // No prompt is longer than the context window.
  tokens += Math.min(storedTokens, contextWindow ?? CONTEXT_WINDOW)
  return Math.ceil(tokens * cacheFactor(price, raw))
}

/** Names, brackets and small fields of a usual request, in bytes. */
const FRAME_BYTES = 512
/** Of a text that is escaped or has many small parts. */
const FRAME_SHARE = 0.1
const BYTES_PER_TOKEN = 4
/** Characters of a token's number in an array of tokens. */
const BYTES_PER_NUMBER = 7

/**
 * Tokens of what a conversation's body has beside the texts and files that were counted. The whole body goes on, and an upstream may
 * read fields that nothing here knows: what is not counted by its meaning is counted by its size.
 */
function unreadTokens({ texts, files, otherTokens }: PromptSize, raw: Buffer): number {
  let unread = raw.length - FRAME_BYTES - otherTokens * BYTES_PER_NUMBER
  if (unread <= 0) return 0
  for (const text of texts) unread -= Buffer.byteLength(text)
  // As base64.
  for (const { bytes = 0 } of files ?? []) unread -= Math.ceil((bytes * 4) / 3)
  return Math.max(0, Math.ceil((unread - raw.length * FRAME_SHARE) / BYTES_PER_TOKEN))
}

/** What the cache keeps for an hour costs 1.6 times what it keeps for five minutes. */
const HOUR_FACTOR = 1.6

/** How much dearer a prompt is if all of it is written to the cache. A name may be spelled with escapes. */
function cacheFactor({ cacheWriteRatio }: Price, raw: Buffer): number {
  if (cacheWriteRatio <= 1) return 1
  return raw.includes('cache_control') || raw.includes('\\u00') ? cacheWriteRatio * HOUR_FACTOR : 1
}

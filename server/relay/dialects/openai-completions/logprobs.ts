import { recordOf } from '../../../../core/records.ts'
import { type Json, numberOf, objectsOf, textOf } from '../../json.ts'

/**
 * Converts log probabilities of chat completions to the format of legacy completions. Returns null without tokens.
 * `offset` is the number of characters before the first token.
 */
export function legacyLogprobs(logprobs: unknown, offset: number): Json | null {
  const tokens = objectsOf(recordOf(logprobs).content)
  if (tokens.length === 0) return null
  let position = offset
  const offsets = tokens.map(({ token }) => {
    const start = position
    position += (textOf(token) ?? '').length
    return start
  })
  return {
    tokens: tokens.map(({ token }) => textOf(token) ?? ''),
    token_logprobs: tokens.map(({ logprob }) => numberOf(logprob) ?? null),
    top_logprobs: tokens.map(({ top_logprobs }) =>
      Object.fromEntries(objectsOf(top_logprobs).map(({ token, logprob }) => [textOf(token) ?? '', logprob])),
    ),
    text_offset: offsets,
  }
}

import { recordOf } from '../../../../core/records.ts'
import type { StopReason } from '../../conversation/conversation.ts'
import { type Json, numberOf, objectsOf, textOf } from '../../json.ts'
import type { ReplyContext } from '../dialect.ts'

/**
 * Finish reasons of completions, which have no tools: https://platform.openai.com/docs/api-reference/completions/object
 */
const COMPLETION_FINISH_REASONS: Record<StopReason, string> = {
  stop: 'stop',
  length: 'length',
  tools: 'stop',
  filter: 'content_filter',
}

/** Returns the fields that identify a reply: the same in a whole reply and in each chunk of a stream. */
export function completionHead({ requestId, created, model }: ReplyContext): Json {
  return { id: `cmpl-${requestId}`, object: 'text_completion', created, model }
}

export function completionChoice(
  index: number,
  { text, logprobs = null, stop }: { text: string; logprobs?: Json | null; stop?: StopReason | undefined },
): Json {
  return { text, index, logprobs, finish_reason: stop ? COMPLETION_FINISH_REASONS[stop] : null }
}

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

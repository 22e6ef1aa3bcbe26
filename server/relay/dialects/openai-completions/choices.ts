import type { StopReason } from '../../conversation/conversation.ts'
import type { Json } from '../../json.ts'
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

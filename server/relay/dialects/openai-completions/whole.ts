import type { Usage } from '../../../../core/pricing/prices.ts'
import type { Reply } from '../../conversation/collect.ts'
import type { ReplyContext } from '../dialect.ts'
import { chatUsage } from '../openai-chat/reply-parts.ts'
import { completionChoice, completionHead } from './choices.ts'
import { legacyLogprobs } from './logprobs.ts'

/** A whole completion. What the model thought has no place in one. */
export function wholeCompletion(reply: Reply, usage: Usage, context: ReplyContext): Record<string, unknown> {
  const choices = reply.choices.map(({ index, text, refusal, logprobs, stop }) =>
    completionChoice(index, { text: text + refusal, logprobs: legacyLogprobs(logprobs, 0), stop: stop ?? 'stop' }),
  )
  return { ...completionHead(context), choices, usage: chatUsage(usage) }
}

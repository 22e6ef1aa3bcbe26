import type { Usage } from '../../../../core/pricing/prices.ts'
import type { Reply } from '../../conversation/collect.ts'
import type { ReplyContext } from '../dialect.ts'
import { chatUsage } from '../openai-chat/reply-parts.ts'
import { completionChoice, completionHead } from './choices.ts'
import { legacyLogprobs } from './logprobs.ts'

/** Returns a whole completion, which has no field for reasoning. */
export function wholeCompletion(reply: Reply, usage: Usage, context: ReplyContext): Record<string, unknown> {
  const choices = reply.choices.map(({ index, text, refusal, logprobs, stop }) =>
    completionChoice(index, { text: text + refusal, logprobs: legacyLogprobs(logprobs, 0), stop: stop ?? 'stop' }),
  )
  return { ...completionHead(context), choices, usage: chatUsage(usage) }
}

import { asksForUsage } from '../../delivery/stream-options.ts'
import { DONE_EVENT, formatEvent } from '../../transport/sse.ts'
import type { PassingStream, ReplyContext } from '../dialect.ts'
import { passingChat } from '../openai-chat/passing.ts'
import { chatUsage } from '../openai-chat/reply-parts.ts'
import { completionHead } from './choices.ts'

/** Chunks of completions on their way through: shaped as those of chat completions are, under their own name at the end. */
export function passingCompletions(context: ReplyContext): PassingStream {
  const wantsUsage = asksForUsage(context.body)
  return {
    ...passingChat(context),
    end(usage) {
      const own = { ...completionHead(context), choices: [], usage: usage && chatUsage(usage) }
      return (wantsUsage && usage ? formatEvent(own) : '') + DONE_EVENT
    },
  }
}

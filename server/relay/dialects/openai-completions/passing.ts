import { asksForUsage } from '../../delivery/stream-options.ts'
import { DONE_EVENT, formatEvent } from '../../transport/sse.ts'
import type { ReplyContext, StreamForwarder } from '../dialect.ts'
import { chatForwarder } from '../openai-chat/passing.ts'
import { chatUsage } from '../openai-chat/reply-parts.ts'
import { completionHead } from './choices.ts'

/** Forwards completion chunks like chat completion chunks, but ends with a completion object. */
export function completionsForwarder(context: ReplyContext): StreamForwarder {
  const wantsUsage = asksForUsage(context.body)
  return {
    ...chatForwarder(context),
    end(usage) {
      const usageChunk = { ...completionHead(context), choices: [], usage: usage && chatUsage(usage) }
      return (wantsUsage && usage ? formatEvent(usageChunk) : '') + DONE_EVENT
    },
  }
}

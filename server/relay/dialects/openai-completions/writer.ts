import type { Usage } from '../../../../core/pricing/prices.ts'
import type { ReplyEvent, StopReason } from '../../conversation/conversation.ts'
import { asksForUsage } from '../../delivery/stream-options.ts'
import type { Json } from '../../json.ts'
import { DONE_EVENT, formatEvent } from '../../transport/sse.ts'
import type { ReplyContext, ReplyWriter } from '../dialect.ts'
import { toChatUsage } from '../openai-chat/reply-parts.ts'
import { openAiErrorEvent } from '../openai-error.ts'
import { completionChoice, completionHead, legacyLogprobs } from './choices.ts'

/** Writes completion chunks. Drops reasoning. https://platform.openai.com/docs/api-reference/completions/object */
export function completionsWriter(context: ReplyContext): ReplyWriter {
  const wantsUsage = asksForUsage(context.body)
  const stops = new Map<number, StopReason | undefined>()
  /** For each choice, the number of characters whose log probabilities have been sent. */
  const offsets = new Map<number, number>()

  const chunk = (choice: Json) =>
    formatEvent({ ...completionHead(context), choices: [choice], ...(wantsUsage && { usage: null }) })

  function writeLogprobs(index: number, value: unknown): string {
    const logprobs = legacyLogprobs(value, offsets.get(index) ?? 0)
    if (!logprobs) return ''
    const length = (logprobs.tokens as string[]).join('').length
    offsets.set(index, (offsets.get(index) ?? 0) + length)
    return chunk(completionChoice(index, { text: '', logprobs }))
  }

  return {
    contentType: 'text/event-stream; charset=utf-8',
    write(event: ReplyEvent) {
      const index = 'choice' in event ? (event.choice ?? 0) : 0
      switch (event.kind) {
        case 'text':
        case 'refusal':
          if (!stops.has(index)) stops.set(index, undefined)
          return event.text === '' ? '' : chunk(completionChoice(index, { text: event.text }))
        case 'logprobs':
          return writeLogprobs(index, event.logprobs)
        case 'stop':
          stops.set(index, event.reason)
          return ''
        default:
          return ''
      }
    },
    end(usage: Usage) {
      if (stops.size === 0) stops.set(0, undefined)
      const ends = [...stops].map(([index, stop]) => chunk(completionChoice(index, { text: '', stop: stop ?? 'stop' })))
      const usageChunk = { ...completionHead(context), choices: [], usage: toChatUsage(usage) }
      return ends.join('') + (wantsUsage ? formatEvent(usageChunk) : '') + DONE_EVENT
    },
    interrupted: openAiErrorEvent,
  }
}

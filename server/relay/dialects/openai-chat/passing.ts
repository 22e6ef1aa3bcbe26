import type { Usage } from '../../../../core/pricing/prices.ts'
import type { StreamEvent } from '../../events.ts'
import { DONE_EVENT, formatEvent } from '../../sse.ts'
import { asksForUsage } from '../../stream-options.ts'
import type { PassingStream, ReplyContext } from '../dialect.ts'
import { chatUsage } from './reply-parts.ts'

const USAGE_NULL = ',"usage":null'

/** Chunks of chat completions on their way through: their own bytes wherever nothing must change. */
export function passingChat(context: ReplyContext): PassingStream {
  const wantsUsage = asksForUsage(context.body)
  return {
    contentType: 'text/event-stream; charset=utf-8',
    pass: (event) => shaped(event, { wantsUsage, rename: context.renamesModel ? context.model : undefined }),
    isLast: ({ done }) => done,
    end(usage: Usage | undefined) {
      const { requestId: id, created, model } = context
      const own = { id, object: 'chat.completion.chunk', created, model, choices: [] }
      return (wantsUsage && usage ? formatEvent({ ...own, usage: chatUsage(usage) }) : '') + DONE_EVENT
    },
  }
}

function shaped(
  { bytes, chunk, done }: StreamEvent,
  { wantsUsage, rename }: { wantsUsage: boolean; rename: string | undefined },
): Buffer | string | undefined {
  if (done) return undefined
  if (!chunk) return bytes
  const choices = Array.isArray(chunk.choices) ? chunk.choices : undefined
  // Azure announces its prompt filter in a chunk of its own, which no OpenAI client expects.
  if (rename !== undefined && choices?.length === 0 && !chunk.usage) return undefined
  if (!wantsUsage && choices?.length === 0 && chunk.usage) return undefined
  if (rename !== undefined && chunk.model !== rename) {
    const { usage, ...rest } = chunk
    return formatEvent(wantsUsage ? { ...chunk, model: rename } : { ...rest, model: rename })
  }
  if (!wantsUsage && chunk.usage === null) {
    const text = bytes.toString('utf8')
    // Inside a JSON text its quotes would be escaped: this is the field, or nothing.
    if (text.includes(USAGE_NULL)) return text.replace(USAGE_NULL, '')
  }
  return bytes
}

import type { Usage } from '../../../../core/pricing/prices.ts'
import { asksForUsage } from '../../delivery/stream-options.ts'
import { isObject, type Json, objectsOf, textOf } from '../../json.ts'
import type { StreamEvent } from '../../transport/events.ts'
import { DONE_EVENT, formatEvent } from '../../transport/sse.ts'
import type { PassingStream, ReplyContext } from '../dialect.ts'
import { chunkMender } from './mend.ts'
import { chatUsage } from './reply-parts.ts'

const USAGE_NULL = ',"usage":null'
const BRACE = 123

/** Chunks of chat completions on their way through: their own bytes wherever nothing must change. */
export function passingChat(context: ReplyContext): PassingStream {
  const { created, model } = context
  const wantsUsage = asksForUsage(context.body)
  const rename = context.renamesModel ? model : undefined
  const mender = chunkMender()
  let id = context.requestId
  /** The last event that passed as it came, but for a usage of null: what repeats it passes so, too. */
  let passed: StreamEvent | undefined
  let dropsNull = false
  return {
    contentType: 'text/event-stream; charset=utf-8',
    pass(event) {
      if (event.repeats !== undefined && event.repeats === passed) {
        return dropsNull ? withoutNullUsage(event.bytes) : event.bytes
      }
      if (event.done || !event.chunk) return event.done ? undefined : event.bytes
      id = textOf(event.chunk.id) ?? id
      const mended = mender.mend(event.chunk)
      const sent = shaped(event, { chunk: event.chunk, mended, wantsUsage, rename })
      dropsNull = !wantsUsage && event.chunk.usage === null
      passed =
        mended === event.chunk && (sent === event.bytes || dropsNull) && rename === undefined
          ? (event.repeats ?? event)
          : undefined
      return sent
    },
    isLast: ({ done, chunk }) => done || (chunk !== undefined && isUsage(chunk)),
    end(usage: Usage | undefined) {
      const own = { id, object: 'chat.completion.chunk', created, model }
      const unfinished = mender.unfinished()
      return (
        (unfinished.length ? formatEvent({ ...own, choices: unfinished }) : '') +
        (wantsUsage && usage ? formatEvent({ ...own, choices: [], usage: chatUsage(usage) }) : '') +
        DONE_EVENT
      )
    },
  }
}

/** The usage has a chunk of its own, after the model's last word. */
const isUsage = ({ choices, usage }: Json): boolean => isObject(usage) && objectsOf(choices).length === 0

interface Shaping {
  chunk: Json
  /** The very same, or what official clients can read of it. */
  mended: Json
  wantsUsage: boolean
  rename: string | undefined
}

function shaped({ bytes }: StreamEvent, { chunk, mended, wantsUsage, rename }: Shaping): Buffer | string | undefined {
  const isEmpty = (mended.choices as unknown[]).length === 0
  // Azure announces its prompt filter in a chunk of its own, which no OpenAI client expects.
  if (rename !== undefined && isEmpty && !chunk.usage) return undefined
  if (!wantsUsage && isEmpty && chunk.usage) return undefined
  const renames = rename !== undefined && chunk.model !== rename
  // A whole answer may come in place of a stream, and without the framing of one.
  if (renames || mended !== chunk || bytes[0] === BRACE) {
    const { usage, ...rest } = mended
    const named = renames ? { model: rename } : {}
    return formatEvent(wantsUsage ? { ...mended, ...named } : { ...rest, ...named })
  }
  return !wantsUsage && chunk.usage === null ? withoutNullUsage(bytes) : bytes
}

function withoutNullUsage(bytes: Buffer): Buffer {
  // Inside a JSON text its quotes would be escaped: this is the field, or nothing.
  const at = bytes.indexOf(USAGE_NULL)
  return at < 0 ? bytes : Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + USAGE_NULL.length)])
}

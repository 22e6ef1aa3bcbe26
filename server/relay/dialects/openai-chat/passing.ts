import type { Usage } from '../../../../core/pricing/prices.ts'
import { isRecord } from '../../../../core/records.ts'
import { asksForUsage } from '../../delivery/stream-options.ts'
import { type Json, objectsOf, textOf } from '../../json.ts'
import type { StreamEvent } from '../../transport/events.ts'
import { DONE_EVENT, formatEvent } from '../../transport/sse.ts'
import type { ReplyContext, StreamForwarder } from '../dialect.ts'
import { chunkRepairer } from './repair.ts'
import { toChatUsage } from './reply-parts.ts'

const USAGE_NULL = ',"usage":null'
const OPENING_BRACE = 123

/** Forwards chat completion chunks, with their bytes unchanged if possible. */
export function chatForwarder(context: ReplyContext): StreamForwarder {
  const { created, model } = context
  const wantsUsage = asksForUsage(context.body)
  const rename = context.renamesModel ? model : undefined
  const repairer = chunkRepairer()
  let id = context.requestId
  /**
   * The last event whose bytes were forwarded, perhaps without `usage: null`. Repetitions of this event are forwarded
   * in the same way.
   */
  let lastUnchanged: StreamEvent | undefined
  let dropsNull = false
  const isRepetition = ({ repeats }: StreamEvent) => repeats !== undefined && repeats === lastUnchanged
  return {
    contentType: 'text/event-stream; charset=utf-8',
    keepsBytes: (event) => isRepetition(event) && !dropsNull,
    forward(event) {
      if (isRepetition(event)) return dropsNull ? withoutNullUsage(event.bytes) : event.bytes
      if (event.done || !event.payload) return event.done ? undefined : event.bytes
      id = textOf(event.payload.id) ?? id
      const repaired = repairer.repair(event.payload)
      const outgoing = outgoingChunk(event, { chunk: event.payload, repaired, wantsUsage, rename })
      dropsNull = !wantsUsage && event.payload.usage === null
      lastUnchanged =
        repaired === event.payload && (outgoing === event.bytes || dropsNull) && rename === undefined
          ? (event.repeats ?? event)
          : undefined
      return outgoing
    },
    isLast: ({ done, payload }) => done || (payload !== undefined && isUsage(payload)),
    end(usage: Usage | undefined) {
      const chunkFields = { id, object: 'chat.completion.chunk', created, model }
      const unfinished = repairer.unfinished()
      return (
        (unfinished.length ? formatEvent({ ...chunkFields, choices: unfinished }) : '') +
        (wantsUsage && usage ? formatEvent({ ...chunkFields, choices: [], usage: toChatUsage(usage) }) : '') +
        DONE_EVENT
      )
    },
  }
}

/** Whether a chunk contains only usage. Upstreams send such a chunk after the last output of the model. */
const isUsage = ({ choices, usage }: Json): boolean => isRecord(usage) && objectsOf(choices).length === 0

interface OutgoingChanges {
  chunk: Json
  /** The same object as `chunk`, or a repaired version that official clients can parse. */
  repaired: Json
  wantsUsage: boolean
  rename: string | undefined
}

function outgoingChunk(
  { bytes }: StreamEvent,
  { chunk, repaired, wantsUsage, rename }: OutgoingChanges,
): Buffer | string | undefined {
  const isEmpty = (repaired.choices as unknown[]).length === 0
  // Azure sends the filter results of the prompt in a separate chunk, which no OpenAI client expects.
  if (rename !== undefined && isEmpty && !chunk.usage) return undefined
  if (!wantsUsage && isEmpty && chunk.usage) return undefined
  const renames = rename !== undefined && chunk.model !== rename
  // Bytes that start with a brace are no event: the upstream sent a whole reply instead of a stream.
  if (renames || repaired !== chunk || bytes[0] === OPENING_BRACE) {
    const { usage, ...repairedFields } = repaired
    const modelField = renames ? { model: rename } : {}
    return formatEvent(wantsUsage ? { ...repaired, ...modelField } : { ...repairedFields, ...modelField })
  }
  return !wantsUsage && chunk.usage === null ? withoutNullUsage(bytes) : bytes
}

function withoutNullUsage(bytes: Buffer): Buffer {
  // Inside a JSON string, the quotes would be escaped. So the text can only be the field `usage`.
  const at = bytes.indexOf(USAGE_NULL)
  return at < 0 ? bytes : Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + USAGE_NULL.length)])
}

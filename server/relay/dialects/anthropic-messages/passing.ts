import { isRecord } from '../../../../core/records.ts'
import { type Json, textOf } from '../../json.ts'
import type { StreamEvent } from '../../transport/events.ts'
import type { ReplyContext, StreamForwarder } from '../dialect.ts'
import { formatNamedEvent } from './error.ts'

/** Types of the last two events. `message_delta` contains the stop reason. */
const LAST_TYPES = new Set(['message_delta', 'message_stop'])

type MessagesContext = Pick<ReplyContext, 'model' | 'renamesModel' | 'promptTokens'>

/**
 * Forwards an upstream's Messages stream. Restores the client's model name. Adds event names, usage and the last event
 * if they are missing, because clients require them. Forwards unknown events unchanged.
 */
export function messagesForwarder(context: MessagesContext): StreamForwarder {
  let hasStopped = false
  /** The last event that was forwarded unchanged. Repetitions of this event are also forwarded unchanged. */
  let lastUnchanged: StreamEvent | undefined
  const keepsBytes = ({ repeats }: StreamEvent) => repeats !== undefined && repeats === lastUnchanged
  return {
    contentType: 'text/event-stream; charset=utf-8',
    keepsBytes,
    forward(event) {
      if (keepsBytes(event)) return event.bytes
      if (event.done) return undefined
      const { payload, bytes, name } = event
      const type = typeOf(event)
      hasStopped ||= type === 'message_stop'
      if (!payload || type === undefined) return bytes
      const readable = readableChunk(type, payload, context)
      const isSame = readable === payload && name !== ''
      if (isSame) lastUnchanged = event.repeats ?? event
      return isSame ? bytes : formatNamedEvent({ ...readable, type })
    },
    isLast: (event) => LAST_TYPES.has(typeOf(event) ?? ''),
    end: () => (hasStopped ? '' : formatNamedEvent({ type: 'message_stop' })),
  }
}

/** Adds missing usage and restores the requested model name. Returns the same chunk if nothing changes. */
function readableChunk(type: string, chunk: Json, context: MessagesContext): Json {
  if (type === 'message_delta') return isRecord(chunk.usage) ? chunk : { ...chunk, usage: { output_tokens: 0 } }
  const message = type === 'message_start' && isRecord(chunk.message) ? chunk.message : undefined
  if (!message) return chunk
  const usage = isRecord(message.usage) ? message.usage : { input_tokens: context.promptTokens, output_tokens: 0 }
  const modelName = context.renamesModel ? context.model : message.model
  return usage === message.usage && modelName === message.model
    ? chunk
    : { ...chunk, message: { ...message, model: modelName, usage } }
}

function typeOf({ payload, name }: StreamEvent): string | undefined {
  return textOf(payload?.type) ?? textOf(name)
}

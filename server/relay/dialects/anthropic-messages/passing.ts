import { isObject, type Json, textOf } from '../../json.ts'
import type { StreamEvent } from '../../transport/events.ts'
import type { PassingStream, ReplyContext } from '../dialect.ts'
import { formatNamedEvent } from './error.ts'

/** The first of them says why the model stopped. */
const LAST = new Set(['message_delta', 'message_stop'])

type MessagesContext = Pick<ReplyContext, 'model' | 'renamesModel' | 'promptTokens'>

/**
 * A Messages stream from the upstream to the client: events of every kind pass as they came. A model of another name there is
 * called what the client called it, and events without a name get theirs, since clients read none without. They throw at a
 * message without a usage or without its last event.
 */
export function passingMessages(context: MessagesContext): PassingStream {
  let stopped = false
  /** The last event that passed as it came: what repeats it does, too. */
  let passed: StreamEvent | undefined
  return {
    contentType: 'text/event-stream; charset=utf-8',
    pass(event) {
      if (event.repeats !== undefined && event.repeats === passed) return event.bytes
      if (event.done) return undefined
      const { chunk, bytes, name } = event
      const type = typeOf(event)
      stopped ||= type === 'message_stop'
      if (!chunk || type === undefined) return bytes
      const readable = readableChunk(type, chunk, context)
      const isSame = readable === chunk && name !== ''
      if (isSame) passed = event.repeats ?? event
      return isSame ? bytes : formatNamedEvent({ ...readable, type })
    },
    isLast: (event) => LAST.has(typeOf(event) ?? ''),
    end: () => (stopped ? '' : formatNamedEvent({ type: 'message_stop' })),
  }
}

/** The very same chunk where nothing is missing in it, and its model has the name that was asked for. */
function readableChunk(type: string, chunk: Json, { model, renamesModel, promptTokens }: MessagesContext): Json {
  if (type === 'message_delta') return isObject(chunk.usage) ? chunk : { ...chunk, usage: { output_tokens: 0 } }
  const message = type === 'message_start' && isObject(chunk.message) ? chunk.message : undefined
  if (!message) return chunk
  const usage = isObject(message.usage) ? message.usage : { input_tokens: promptTokens, output_tokens: 0 }
  const named = renamesModel ? model : message.model
  return usage === message.usage && named === message.model
    ? chunk
    : { ...chunk, message: { ...message, model: named, usage } }
}

function typeOf({ chunk, name }: StreamEvent): string | undefined {
  return textOf(chunk?.type) ?? textOf(name)
}

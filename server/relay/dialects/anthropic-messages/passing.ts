import type { StreamEvent } from '../../events.ts'
import { isObject, textOf } from '../../json.ts'
import type { PassingStream, ReplyContext } from '../dialect.ts'
import { formatNamedEvent } from './error.ts'

/**
 * A Messages stream from the upstream to the client: events of every kind pass as they came. A model of another name there is
 * called what the client called it, and events without a name get theirs, since clients read none without.
 */
export function passingMessages({ model, renamesModel }: Pick<ReplyContext, 'model' | 'renamesModel'>): PassingStream {
  let stopped = false
  return {
    contentType: 'text/event-stream; charset=utf-8',
    pass(event) {
      if (event.done) return undefined
      const { chunk, bytes, name } = event
      const type = typeOf(event)
      if (!chunk || type === undefined) return bytes
      const message = renamesModel && type === 'message_start' && isObject(chunk.message) ? chunk.message : undefined
      if (message && message.model !== model) {
        return formatNamedEvent({ ...chunk, type, message: { ...message, model } })
      }
      return name === '' ? formatNamedEvent({ ...chunk, type }) : bytes
    },
    isLast(event) {
      stopped ||= typeOf(event) === 'message_stop'
      return stopped
    },
    end: () => '',
  }
}

function typeOf({ chunk, name }: StreamEvent): string | undefined {
  return textOf(chunk?.type) ?? textOf(name)
}

import { textOf } from '../../json.ts'
import { messagesReader } from '../anthropic/messages-reader.ts'
import type { ReplyReader } from '../provider.ts'
import { exceptionIn } from './failure.ts'

/**
 * Reads Messages replies in AWS frames. The name of a frame is not the type of the event in the frame. A frame may also
 * contain an exception.
 */
export function invokeReader(options: { customTools?: ReadonlySet<string> } = {}): ReplyReader {
  const reader = messagesReader(options)
  return {
    ...reader,
    event(event) {
      const error = exceptionIn(event)
      if (error) return [{ kind: 'error', error }]
      return reader.event({ ...event, name: textOf(event.payload?.type) ?? event.name })
    },
  }
}

import { textOf } from '../../json.ts'
import { messagesReader } from '../anthropic/messages-reader.ts'
import type { ReplyReader } from '../provider.ts'
import { exceptionIn } from './failure.ts'

/** Reads Messages replies in AWS frames. A frame's name is not the type of its event. A frame may be an exception. */
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

import { textOf } from '../../json.ts'
import { messagesReader } from '../anthropic/messages-reader.ts'
import type { ReplyReader } from '../provider.ts'
import { exceptionIn } from './failure.ts'

/** Reads Messages replies from AWS frames, whose names are not event types, and exceptions. */
export function invokeReader(options: { customTools?: ReadonlySet<string> } = {}): ReplyReader {
  const reader = messagesReader(options)
  return {
    ...reader,
    event(event) {
      const error = exceptionIn(event)
      if (error) return [{ kind: 'error', error }]
      return reader.event({ ...event, name: textOf(event.chunk?.type) ?? event.name })
    },
  }
}

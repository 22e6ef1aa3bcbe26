import { parseObject } from '../../../../core/input.ts'
import type { ReplyEvent } from '../../conversation/conversation.ts'
import type { ReplyReader } from '../provider.ts'

/** Parameters of the ordinary tool that replaces a custom tool. Its only argument is the free text. */
export const FREE_TEXT = { type: 'object', properties: { input: { type: 'string' } }, required: ['input'] }

/**
 * Wraps a reader for upstreams without custom tools. Converts calls of the functions `names` to calls of custom tools,
 * whose text is the argument `input`. Returns the text when the call is complete.
 */
export function withCustomCalls(reader: ReplyReader, names: ReadonlySet<string>): ReplyReader {
  const openCalls = new Map<string, { call: number; choice: number; text: string }>()

  function finishCalls(choice?: number): ReplyEvent[] {
    const finishedCalls = [...openCalls].filter(([, call]) => choice === undefined || call.choice === choice)
    return finishedCalls.map(([key, call]) => {
      openCalls.delete(key)
      const input = parseObject(call.text)?.input
      const text = typeof input === 'string' ? input : call.text
      return { kind: 'arguments', call: call.call, text, choice: call.choice }
    })
  }

  function restoreCalls(event: ReplyEvent): ReplyEvent[] {
    if (event.kind === 'call' && names.has(event.name)) {
      const choice = event.choice ?? 0
      openCalls.set(`${choice} ${event.call}`, { call: event.call, choice, text: '' })
      return [{ ...event, custom: true }]
    }
    if (event.kind === 'arguments') {
      const call = openCalls.get(`${event.choice ?? 0} ${event.call}`)
      if (!call) return [event]
      call.text += event.text
      return []
    }
    if (event.kind === 'stop') return [...finishCalls(event.choice ?? 0), event]
    return event.kind === 'end' || event.kind === 'error' ? [...finishCalls(), event] : [event]
  }

  return {
    event: (event) => reader.event(event).flatMap(restoreCalls),
    whole: (body) => reader.whole(body).flatMap(restoreCalls),
    close: () => [...(reader.close?.() ?? []).flatMap(restoreCalls), ...finishCalls()],
  }
}

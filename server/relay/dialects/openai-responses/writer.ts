import type { Usage } from '../../../../core/pricing/prices.ts'
import type { ReplyEvent, StopReason } from '../../conversation/conversation.ts'
import { DONE_EVENT } from '../../transport/sse.ts'
import type { RelayError, ReplyContext, ReplyWriter } from '../dialect.ts'
import { bareErrorEvent, formatWireEvent, responseErrorOf } from './events.ts'
import { newId, type WireEvent } from './items.ts'
import { createOutput } from './output.ts'
import { INCOMPLETE_REASONS, responseObject } from './response.ts'
import { toolNames } from './tool-names.ts'

/** Writes the events of a response: https://platform.openai.com/docs/api-reference/responses-streaming */
export function responsesWriter(context: ReplyContext): ReplyWriter {
  const id = newId('resp')
  const output = createOutput(toolNames(context.body.tools))
  let sequence = 0
  let stop: StopReason | undefined
  let usage: Usage | undefined

  const format = (events: readonly WireEvent[]) =>
    events.map(([type, fields]) => formatWireEvent(type, sequence++, fields)).join('')

  function begin(): string {
    if (sequence > 0) return ''
    const response = responseObject(context, { id, status: 'in_progress', output: [], usage: undefined })
    return format([
      ['response.created', { response }],
      ['response.in_progress', { response }],
    ])
  }

  return {
    contentType: 'text/event-stream; charset=utf-8',
    write(event: ReplyEvent) {
      if (event.kind === 'error') return ''
      // A response has only one choice.
      if ('choice' in event && (event.choice ?? 0) > 0) return ''
      if (event.kind === 'stop') stop = event.reason
      if (event.kind === 'usage') usage = event.usage
      return begin() + format(output.add(event))
    },
    end(charged: Usage) {
      const reason = stop && INCOMPLETE_REASONS[stop]
      const status = reason ? 'incomplete' : 'completed'
      const ends = begin() + format(output.close(status))
      const response = responseObject(context, { id, status, output: output.wire(), usage: charged, reason })
      context.store?.(response)
      return ends + format([[`response.${status}`, { response }]]) + DONE_EVENT
    },
    interrupted(error: RelayError) {
      if (sequence === 0) return bareErrorEvent(error)
      const state = { id, status: 'failed', output: output.broken(), usage, error: responseErrorOf(error) } as const
      return format([['response.failed', { response: responseObject(context, state) }]])
    },
  }
}

import type { Operation } from '../../../core/channels/routing/operations.ts'
import type { Usage } from '../../../core/pricing/prices.ts'
import { isRecord } from '../../../core/records.ts'
import type { ReplyEvent } from '../conversation/conversation.ts'
import { type Json, wordOf } from '../json.ts'
import type { ReplyReader } from '../providers/provider.ts'
import { hasResult, isReplyError, RESULT_FIELDS, replyError } from '../providers/reply-error.ts'
import { usageEvents } from '../providers/reply-events.ts'
import type { Pieces } from './endpoint.ts'
import { ENDPOINTS } from './endpoints.ts'

/** Operations whose streams have partial images, so that a reply is complete only after an event with a whole image. */
const IMAGE_OPERATIONS = new Set<Operation>(['images', 'image-edits', 'image-variations'])

/** Returns the usage in an endpoint's JSON reply or in one event of a stream, if any. */
export function reportedUsage(operation: Operation, body: Json): Usage | undefined {
  return operation === 'chat' || operation === 'realtime' ? undefined : ENDPOINTS[operation].reported(body)
}

/** Returns the priced pieces in an endpoint's JSON reply, if it lists any. */
export function piecesOf(operation: Operation, body: Json): Pieces | undefined {
  return operation === 'chat' || operation === 'realtime' ? undefined : ENDPOINTS[operation].pieces?.(body)
}

/** Fields with lists that may be empty in a valid reply. */
const MAY_BE_EMPTY = new Set(['segments', 'words'])

/** Whether an endpoint's JSON reply has a result. An empty text is one, because a recording may contain no speech. */
export function isResult(operation: Operation, body: Json): boolean {
  return RESULT_FIELDS.some((name) => {
    const value = body[name]
    if (!Array.isArray(value))
      return isRecord(value) ? Object.keys(value).length > 0 : value !== undefined && value !== null
    if (value.length === 0) return operation === 'rerank' || MAY_BE_EMPTY.has(name)
    return hasResult(value)
  })
}

/** Reads an endpoint's replies and events, such as partial images, which are forwarded unchanged. */
export function endpointReader(operation: Operation): ReplyReader {
  let choice = 0
  let isComplete = !IMAGE_OPERATIONS.has(operation)
  const read = (body: Json): ReplyEvent[] => {
    // An upstream without partial results may send its whole reply as one event.
    isComplete ||= isCompleted(body) || Array.isArray(body.data)
    if (isReplyError(body)) return [{ kind: 'error', error: replyError(body) }]
    const events: ReplyEvent[] = [{ kind: 'text', text: '', choice }]
    if (isCompleted(body)) events.push({ kind: 'stop', reason: 'stop', choice: choice++ })
    return [...events, ...usageEvents(reportedUsage(operation, body))]
  }
  return {
    event({ payload, done }) {
      if (!done) return payload ? read(payload) : []
      return isComplete ? [{ kind: 'end' }] : []
    },
    whole: (body) => [...read(body), { kind: 'end' }],
    close: () => (isComplete ? [{ kind: 'stop', reason: 'stop' }, { kind: 'end' }] : []),
  }
}

/** Whether an event completes an image, or the whole text. */
export function isCompleted({ type }: Json): boolean {
  return /(completed|done)$/.test(wordOf(type))
}

import type { Operation } from '../../../core/channels/operations.ts'
import type { Usage } from '../../../core/pricing/prices.ts'
import type { ReplyEvent } from '../conversation/conversation.ts'
import { type Json, wordOf } from '../json.ts'
import type { ReplyReader } from '../providers/provider.ts'
import { isReplyError, replyError } from '../providers/reply-error.ts'
import { ENDPOINTS } from './endpoints.ts'

/** Whose streams have nothing in them but pieces until the picture is there. */
const PICTURES = new Set<Operation>(['images', 'image-edits', 'image-variations'])

/** The usage that an endpoint's reply reports, or one event of it. */
export function reportedUsage(operation: Operation, body: Json): Usage | undefined {
  return operation === 'chat' || operation === 'realtime' ? undefined : ENDPOINTS[operation].reported(body)
}

/** How many pieces an endpoint's reply brings, where they are sold. */
export function piecesMade(operation: Operation, body: Json): number | undefined {
  return operation === 'chat' || operation === 'realtime' ? undefined : ENDPOINTS[operation].made?.(body)
}

/** Watches the events of an endpoint that is no conversation, such as pictures in the making: they go on as they are. */
export function endpointReader(operation: Operation): ReplyReader {
  let choice = 0
  let whole = !PICTURES.has(operation)
  const read = (body: Json): ReplyEvent[] => {
    // An upstream that cannot do it piece by piece may put its whole reply into one event.
    whole ||= isCompleted(body) || Array.isArray(body.data)
    if (isReplyError(body)) return [{ kind: 'error', error: replyError(body) }]
    const usage = reportedUsage(operation, body)
    const events: ReplyEvent[] = [{ kind: 'text', text: '', choice }]
    if (isCompleted(body)) events.push({ kind: 'stop', reason: 'stop', choice })
    if (isCompleted(body)) choice += 1
    return usage ? [...events, { kind: 'usage', usage }] : events
  }
  return {
    event({ chunk, done }) {
      if (!done) return chunk ? read(chunk) : []
      return whole ? [{ kind: 'end' }] : []
    },
    whole: (body) => [...read(body), { kind: 'end' }],
    close: () => (whole ? [{ kind: 'stop', reason: 'stop' }, { kind: 'end' }] : []),
  }
}

/** One of several pictures is made, or the whole text written. */
export function isCompleted({ type }: Json): boolean {
  return /(completed|done)$/.test(wordOf(type))
}

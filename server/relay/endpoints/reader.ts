import type { Operation } from '../../../core/channels/operations.ts'
import type { Usage } from '../../../core/pricing/prices.ts'
import type { ReplyEvent } from '../conversation/conversation.ts'
import type { Json } from '../json.ts'
import type { ReplyReader } from '../providers/provider.ts'
import { isReplyError, replyError } from '../providers/reply-error.ts'
import { ENDPOINTS } from './endpoints.ts'

/** The usage that an endpoint's reply reports, or one event of it. */
export function reportedUsage(operation: Operation, body: Json): Usage | undefined {
  return operation === 'chat' || operation === 'realtime' ? undefined : ENDPOINTS[operation].reported(body)
}

const LAST_EVENT = /(completed|done)$/
/** Whose streams have nothing in them but pieces until the picture is there. */
const PICTURES = new Set<Operation>(['images', 'image-edits', 'image-variations'])

/** Whether an event of such an endpoint says that all is there. */
export function isLastEvent(event: Json): boolean {
  return LAST_EVENT.test(String(event.type))
}

/** Watches the events of an endpoint that is no conversation, such as pictures in the making: they go on as they are. */
export function endpointReader(operation: Operation): ReplyReader {
  let finished = !PICTURES.has(operation)
  const read = (body: Json): ReplyEvent[] => {
    // An upstream that cannot do it piece by piece may put its whole reply into one event.
    finished ||= isLastEvent(body) || Array.isArray(body.data)
    if (isReplyError(body)) return [{ kind: 'error', error: replyError(body) }]
    const usage = reportedUsage(operation, body)
    return [{ kind: 'text', text: '' }, ...(usage ? [{ kind: 'usage' as const, usage }] : [])]
  }
  return {
    event({ chunk, done }) {
      if (!done) return chunk ? read(chunk) : []
      return finished ? [{ kind: 'end' }] : []
    },
    whole: (body) => [...read(body), { kind: 'end' }],
    close: () => (finished ? [{ kind: 'stop', reason: 'stop' }, { kind: 'end' }] : []),
  }
}

import { recordOf } from '../../../../core/records.ts'
import type { ReplyEvent } from '../../conversation/conversation.ts'
import { type Json, objectsOf, textOf } from '../../json.ts'
import type { ReplyReader } from '../provider.ts'
import { reasoningEvents, tokenUsageEvents } from '../reply-events.ts'
import { replyErrorOf } from '../vendor-error.ts'
import { sparkError } from './errors.ts'

/** Value of `header.status` in the last frame. */
const LAST_STATUS = 2

/**
 * Reads the frames of a Spark websocket, of which the last has the usage. After the first text, a policy error ends the
 * reply with the stop reason `filter`. https://www.xfyun.cn/doc/spark/Web.html
 */
export function sparkFrameReader(): ReplyReader {
  let hasBegun = false
  let calls = 0
  let hasText = false

  function read(frame: Json): ReplyEvent[] {
    const error = sparkError(frame)
    if (error?.kind === 'policy' && hasText) return [{ kind: 'stop', reason: 'filter' }, { kind: 'end' }]
    if (error) return [{ kind: 'error', error: replyErrorOf(error) }]
    const header = recordOf(frame.header)
    const payload = recordOf(frame.payload)
    const { prompt_tokens, completion_tokens } = recordOf(recordOf(payload.usage).text)
    const events = [
      ...startEvents(header),
      ...objectsOf(recordOf(payload.choices).text).flatMap((piece) => pieceEvents(piece, header)),
      ...tokenUsageEvents(prompt_tokens, completion_tokens),
    ]
    if (header.status === LAST_STATUS || recordOf(payload.choices).status === LAST_STATUS) {
      events.push({ kind: 'stop', reason: calls > 0 ? 'tools' : 'stop' }, { kind: 'end' })
    }
    return events
  }

  function startEvents({ sid }: Json): ReplyEvent[] {
    const id = textOf(sid)
    if (hasBegun || !id) return []
    hasBegun = true
    return [{ kind: 'start', id }]
  }

  function pieceEvents(piece: Json, { sid }: Json): ReplyEvent[] {
    const events = reasoningEvents(piece.reasoning_content)
    const text = textOf(piece.content)
    if (text) {
      hasText = true
      events.push({ kind: 'text', text })
    }
    const called = recordOf(piece.function_call)
    const name = textOf(called.name)
    if (name) {
      const call = calls++
      events.push({ kind: 'call', call, id: `call_${textOf(sid) ?? 'spark'}_${call}`, name })
      const args = textOf(called.arguments)
      if (args) events.push({ kind: 'arguments', call, text: args })
    }
    return events
  }

  return { event: ({ payload }) => (payload ? read(payload) : []), whole: read }
}

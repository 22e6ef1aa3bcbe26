import { recordOf } from '../../../../core/records.ts'
import type { ReplyEvent } from '../../conversation/conversation.ts'
import { type Json, objectsOf, textOf, wordOf } from '../../json.ts'
import type { StreamEvent } from '../../transport/events.ts'
import type { ReplyReader } from '../provider.ts'
import { reasoningEvents, textEvents, tokenUsageEvents } from '../reply-events.ts'
import { cozeError, cozeErrorIn } from './errors.ts'

/** Name of the event that ends a stream. The `data` of this event is the JSON string "[DONE]", with quotes. */
const END_EVENT = 'done'

/** Reads the replies of Coze's bots. https://www.coze.cn/docs/developer_guides/chat_v3 */
export function cozeReader(): ReplyReader {
  /** Ids of messages that arrived in pieces. Coze sends such a message again as a whole, which is skipped. */
  const streamedIds = new Set<string>()
  let hasBegun = false

  function start(chat: Json): ReplyEvent[] {
    const id = textOf(chat.id)
    if (hasBegun || !id) return []
    hasBegun = true
    return [{ kind: 'start', id }]
  }

  function delta(message: Json): ReplyEvent[] {
    if (!isAnswer(message)) return []
    streamedIds.add(wordOf(message.id))
    return messageEvents(message)
  }

  function read(name: string, body: Json): ReplyEvent[] {
    switch (name) {
      case 'conversation.chat.created':
        return start(body)
      case 'conversation.message.delta':
        return delta(body)
      case 'conversation.message.completed':
        return isAnswer(body) && !streamedIds.has(wordOf(body.id)) ? messageEvents(body) : []
      case 'conversation.chat.completed':
        return [...start(body), { kind: 'stop', reason: 'stop' }, ...chatUsage(body)]
      case 'conversation.chat.failed':
      case 'conversation.chat.canceled':
      case 'conversation.chat.requires_action':
        return [chatFailure(body)]
      case 'error':
        return [{ kind: 'error', error: cozeError(body) }]
      default: {
        // An error before the beginning of the stream has no event name.
        const error = name === '' ? cozeErrorIn(body) : undefined
        return error ? [{ kind: 'error', error }] : []
      }
    }
  }

  return {
    event({ name, payload, done }: StreamEvent) {
      if (done || name === END_EVENT) return [{ kind: 'end' }]
      return payload ? read(name, payload) : []
    },
    whole(body) {
      const error = cozeErrorIn(body)
      if (error) return [{ kind: 'error', error }]
      const chat = recordOf(body.data)
      if (textOf(chat.status) !== 'completed') return [chatFailure(chat)]
      return [
        ...start(chat),
        ...objectsOf(body.messages).filter(isAnswer).flatMap(messageEvents),
        { kind: 'stop', reason: 'stop' },
        ...chatUsage(chat),
        { kind: 'end' },
      ]
    },
  }
}

/** Whether a message belongs to the answer. False for search results, calls and suggested questions. */
function isAnswer({ type, role }: Json): boolean {
  return type === 'answer' && role !== 'user'
}

function messageEvents({ reasoning_content, content }: Json): ReplyEvent[] {
  return [...reasoningEvents(reasoning_content), ...textEvents(content)]
}

function chatUsage({ usage }: Json): ReplyEvent[] {
  const { input_count, output_count } = recordOf(usage)
  return tokenUsageEvents(input_count, output_count)
}

/** Returns the error of a chat that failed, was canceled, or waits for a tool result. */
function chatFailure(chat: Json): ReplyEvent {
  const last = recordOf(chat.last_error)
  const status = textOf(chat.status) ?? 'failed'
  const msg = textOf(last.msg) ?? (status === 'requires_action' ? NEEDS_TOOL_RESULT : `The chat ended as ${status}`)
  return { kind: 'error', error: cozeError({ ...last, msg }) }
}

const NEEDS_TOOL_RESULT = 'The bot waits for a tool result, which the gateway cannot provide'

import { isObject, type Json } from '../../json.ts'
import { chatReader } from '../openai/chat-reader.ts'
import type { ReplyReader } from '../provider.ts'
import { replyErrorOf } from '../trouble.ts'
import { tencentError } from './errors.ts'
import { withSnakeNames } from './field-names.ts'

/**
 * Reads Hunyuan's replies: chat completions under other names, a whole one inside `Response`, the chunks of a stream not.
 * A stream may end without a `[DONE]`. https://cloud.tencent.com/document/api/1729/105701
 */
export function hunyuanChatReader(): ReplyReader {
  const reader = chatReader({ stops: { sensitive: 'filter' } })
  return {
    event(event) {
      const body = event.chunk
      const error = body && tencentError(body)
      if (error) return [{ kind: 'error', error: replyErrorOf(error) }]
      return reader.event({ ...event, chunk: body && withSnakeNames(unwrapped(body)) })
    },
    whole(body) {
      const error = tencentError(body)
      return error ? [{ kind: 'error', error: replyErrorOf(error) }] : reader.whole(withSnakeNames(unwrapped(body)))
    },
  }
}

export function unwrapped(body: Json): Json {
  return isObject(body.Response) ? body.Response : body
}

import { isRecord } from '../../../../core/records.ts'
import type { Json } from '../../json.ts'
import { chatReader } from '../openai/chat-reader.ts'
import type { ReplyReader } from '../provider.ts'
import { replyErrorOf } from '../vendor-error.ts'
import { tencentError } from './errors.ts'
import { withSnakeNames } from './field-names.ts'

/**
 * Reads Hunyuan's replies, which are chat completions with other field names. Whole replies are nested in `Response`,
 * but chunks are not. https://cloud.tencent.com/document/api/1729/105701
 */
export function hunyuanChatReader(): ReplyReader {
  const reader = chatReader({ stops: { sensitive: 'filter' } })
  return {
    event(event) {
      const body = event.payload
      const error = body && tencentError(body)
      if (error) return [{ kind: 'error', error: replyErrorOf(error) }]
      return reader.event({ ...event, payload: body && withSnakeNames(unwrapResponse(body)) })
    },
    whole(body) {
      const error = tencentError(body)
      return error
        ? [{ kind: 'error', error: replyErrorOf(error) }]
        : reader.whole(withSnakeNames(unwrapResponse(body)))
    },
  }
}

/** Returns the content of `Response`, or the body itself if it has no `Response`. */
export function unwrapResponse(body: Json): Json {
  return isRecord(body.Response) ? body.Response : body
}

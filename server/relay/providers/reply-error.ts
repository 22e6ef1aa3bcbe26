import type { ReplyError } from '../conversation/conversation.ts'
import { isObject, type Json, textOf } from '../json.ts'

/** An error that came with status 200, or as an event of a stream. */
export function isReplyError(body: Json): boolean {
  return body.error !== undefined && body.error !== null && body.error !== '' && !Array.isArray(body.data)
}

export function replyError(body: Json): ReplyError {
  const error = isObject(body.error) ? body.error : { message: String(body.error) }
  const status = Number(error.code ?? error.status)
  return {
    message: textOf(error.message) ?? 'The upstream answered with an error',
    type: textOf(error.type),
    code: textOf(error.code),
    status: status >= 400 && status < 600 ? status : undefined,
  }
}

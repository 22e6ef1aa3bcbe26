import type { ReplyError } from '../conversation/conversation.ts'
import { isObject, type Json, numeric, objectOf, objectsOf, textOf, wordOf } from '../json.ts'

/** Whether a reply with status 200, or a stream event, is an error. `error: null` and `error: ""` are not. */
export function isReplyError(body: Json): boolean {
  if (Array.isArray(body.data)) return false
  return Boolean(body.error) || hasMiniMaxError(body) || isHubError(body)
}

/** MiniMax reports failures beside an empty reply. */
function hasMiniMaxError(body: Json): boolean {
  const code = objectOf(body.base_resp).status_code
  return typeof code === 'number' && code !== 0
}

const REPLY_FIELDS = ['choices', 'usage', 'data', 'results', 'text', 'output']

/** Hubs send failures instead of a reply: `{ code, message }`, `{ success: false, message }`. */
function isHubError(body: Json): boolean {
  const { success, code, message, msg, errors } = body
  const isReply = REPLY_FIELDS.some((name) => body[name] !== undefined && body[name] !== null)
  if (isReply || !(textOf(message) ?? textOf(msg) ?? objectsOf(errors)[0])) return false
  return success === false || !(code === undefined || code === null || isSuccessCode(code))
}

function isSuccessCode(code: unknown): boolean {
  const number = numeric(code)
  return number === 0 || (number >= 200 && number < 300)
}

/** `statuses`: HTTP statuses by the vendor's error codes. */
export function replyError(body: Json, statuses: Readonly<Record<string, number>> = {}): ReplyError {
  const base = objectOf(body.base_resp)
  const error = isObject(body.error) ? body.error : textOf(body.error) ? { message: body.error } : {}
  const code = error.code ?? error.status ?? base.status_code ?? body.code
  const status = [statuses[wordOf(code)], error.status, code].map(numeric).find(isHttpError)
  return {
    message:
      textOf(error.message) ??
      textOf(base.status_msg) ??
      textOf(body.message) ??
      textOf(body.msg) ??
      textOf(objectsOf(body.errors)[0]?.message) ??
      'The upstream returned an error',
    type: textOf(error.type),
    code: textOf(code) ?? (typeof code === 'number' ? String(code) : undefined),
    status,
  }
}

function isHttpError(status: number): boolean {
  return status >= 400 && status < 600
}

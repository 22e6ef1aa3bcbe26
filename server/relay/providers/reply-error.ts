import { isRecord, recordOf } from '../../../core/records.ts'
import type { ReplyError } from '../conversation/conversation.ts'
import { type Json, numeric, objectsOf, textOf, wordOf } from '../json.ts'

/*
 * Finds errors in replies with status 200: in the field `error`, and in other fields of vendors and proxies. For a
 * normal reply, these functions read only a few fields, because they run for each event.
 */

/** Whether a reply with status 200, or an event of a stream, is an error. */
export function isReplyError(body: Json): boolean {
  // If only some images failed, the reply is not an error.
  if (hasResult(body.data)) return false
  if (body.error && isErrorValue(body.error)) return true
  return hasMiniMaxError(body) || (!isReply(body) && faultIn(body) !== undefined)
}

/** Whether the field `error` reports an error. Some vendors send `{}` or a success code in normal replies. */
function isErrorValue(error: unknown): boolean {
  if (Array.isArray(error)) return error.length > 0
  if (!isRecord(error)) return !/^(null|none|ok|success)$/i.test(String(error))
  return Boolean(error.message || error.type || error.status) || !isSuccessCode(error.code)
}

/** MiniMax reports a failure in `base_resp`, next to an empty reply. */
function hasMiniMaxError(body: Json): boolean {
  const code = recordOf(body.base_resp).status_code
  return typeof code === 'number' && code !== 0
}

/** Fields that contain the result of an operation other than `chat`, in OpenAI's or a similar format. */
export const RESULT_FIELDS = [
  'data',
  'results',
  'text',
  'output',
  'images',
  'audio',
  'image',
  'url',
  'b64_json',
  'segments',
  'words',
  'embeddings',
  'artifacts',
]
/** Fields of a normal reply. `choices` comes first, because almost every event has it. */
const REPLY_FIELDS = ['choices', 'usage', 'candidates', 'content', 'result', 'answer', ...RESULT_FIELDS]

function isReply(body: Json): boolean {
  return REPLY_FIELDS.some((name) => {
    const value = body[name]
    return Array.isArray(value) ? value.length > 0 : value !== undefined && value !== null
  })
}

/** Whether a list has at least one result. Some vendors put the errors of failed images into the list. */
export function hasResult(list: unknown): boolean {
  return Array.isArray(list) && list.some((item) => !isRecord(item) || !item.error)
}

interface Fault {
  readonly code: unknown
  readonly message: string
}

const FAILED_STATES = new Set(['error', 'failed', 'fail', 'failure'])

/**
 * Reads an error that was sent instead of a reply: an error code, a failed status with a text, or only a `detail`.
 * Returns undefined for a normal reply.
 */
function faultIn(body: Json): Fault | undefined {
  // Tencent nests errors in `Response.Error`, and Xunfei in `header`.
  const inner = recordOf(recordOf(body.Response).Error)
  const header = recordOf(body.header)
  if (!isSuccessCode(inner.Code)) return { code: inner.Code, message: textOf(inner.Message) ?? '' }
  if (!isSuccessCode(header.code)) return { code: header.code, message: textOf(header.message) ?? '' }
  const detail = textOf(body.detail) ?? textOf(objectsOf(body.detail)[0]?.msg)
  const message = ['message', 'msg', 'error_msg', 'errmsg', 'error_message']
    .map((name) => textOf(body[name]))
    .find(Boolean)
  const text = message ?? textOf(objectsOf(body.errors)[0]?.message) ?? detail
  if (text === undefined) return undefined
  const code = [body.code, body.error_code, body.errcode].find((value) => !isSuccessCode(value))
  const isFailed =
    code !== undefined ||
    body.success === false ||
    body.object === 'error' ||
    body.type === 'error' ||
    isFailedState(body)
  // A proxy's error has only the field `detail`. In a body with more fields, `detail` may describe a queue's state.
  const isAlone = text === detail && Object.keys(body).length === 1
  return isFailed || isAlone ? { code: code ?? body.status, message: text } : undefined
}

/** Whether `status` reports a failure. Not for objects such as batches and responses, whose readers handle failures. */
function isFailedState({ status, object }: Json): boolean {
  if (object !== undefined) return false
  return typeof status === 'number' ? isHttpError(status) : FAILED_STATES.has(textOf(status) ?? '')
}

function isSuccessCode(code: unknown): boolean {
  if (code === undefined || code === null || code === '') return true
  const number = numeric(code)
  return number === 0 || (number >= 200 && number < 300) || /^(success|ok)$/i.test(wordOf(code))
}

/** Returns the error in a reply for which `isReplyError` is true. `statuses`: HTTP statuses by the vendor's codes. */
export function replyError(body: Json, statuses: Readonly<Record<string, number>> = {}): ReplyError {
  const base = recordOf(body.base_resp)
  const error = isRecord(body.error) ? body.error : textOf(body.error) ? { message: body.error } : {}
  const fault = faultIn(body)
  const code = error.code ?? error.status ?? base.status_code ?? fault?.code ?? body.code
  const status = [statuses[wordOf(code)], error.status, code, body.status].map(numeric).find(isHttpError)
  return {
    message:
      textOf(error.message) ?? textOf(base.status_msg) ?? textOf(fault?.message) ?? 'The upstream returned an error',
    type: textOf(error.type) ?? (body.object === 'error' ? textOf(body.type) : undefined),
    code: textOf(code) ?? (typeof code === 'number' ? String(code) : undefined),
    status,
  }
}

function isHttpError(status: number): boolean {
  return status >= 400 && status < 600
}

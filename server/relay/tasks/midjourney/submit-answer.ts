import { GatewayError } from '../../../../core/errors.ts'
import { type DrawingAction, opensModal } from '../../../../core/tasks/drawing-actions.ts'
import { FINISHED } from '../../../../core/tasks/lifecycle.ts'
import { type Json, objectOf, parseObject, wordOf } from '../../json.ts'
import { failure, readFailure } from '../../providers/failure.ts'
import type { Failure } from '../../providers/provider.ts'
import { retryAfter } from '../../retry-after.ts'
import type { TaskReply } from '../exchange.ts'
import { refuseDrawing, UPSTREAM_ERROR } from './refusal.ts'

const SUBMITTED = 1
const NO_ACCOUNT = 3
const EXISTS = 21
const QUEUED = 22
const QUEUE_FULL = 23
const ACCEPTED: ReadonlySet<number> = new Set([SUBMITTED, EXISTS, QUEUED])
const MJ_ID_LENGTH_MAX = 255

/** What an upstream said to a submission, and what follows from it. */
export interface Judged {
  /** The upstream has the task. */
  accepted: boolean
  /** Its price is due. */
  charged: boolean
  /** The upstream's own accounts are gone: the channel is of no use. */
  noAccount: boolean
  /** '' where the upstream has none. */
  mjId: string
  /** The columns that follow from the answer. */
  row: Readonly<Record<string, string | number>>
  status: number
  /** What the client is told. */
  body: Buffer
}

/** How a client is spoken to: without secrets, and with the address where it finds a picture. */
export interface Words {
  clean: (text: string) => string
  forward: (picture: { mj_id: string; image_url: string }) => string
}

/**
 * Judges the answer to a submission; times are unix milliseconds. Throws DRAWING_REFUSED for an answer that nobody can be
 * charged by: then nobody knows of a task, and nobody pays.
 */
export function judge(
  { status, bytes }: Pick<TaskReply, 'status' | 'bytes'>,
  {
    action,
    taskId,
    now,
    ...words
  }: Words & {
    action: DrawingAction
    /** The task that was followed. */
    taskId: string | undefined
    now: number
  },
): Judged {
  const answer = readAnswer({ status, bytes })
  const code = answer.code as number
  const accepted = isAccepted(answer)
  const mjId = accepted ? taskOf(answer, action) : rejectedId(answer, taskId)
  const description = words.clean(descriptionOf(answer))
  const failed = { code, status: 'FAILURE', progress: FINISHED, finish_time: now, fail_reason: description }
  const changed = told(answer, { action, mjId, ...words })
  return {
    accepted,
    charged: accepted && status === 200 && (action !== 'SWAP_FACE' || code === SUBMITTED),
    noAccount: code === NO_ACCOUNT,
    mjId,
    row: { submit_time: now, mj_id: mjId, description, ...(accepted ? acceptedColumns(answer, action, now) : failed) },
    status,
    body: changed ? Buffer.from(JSON.stringify(changed)) : bytes,
  }
}

/** What asking one channel came to: an answer that can be kept, or why there is none; `failure` as far as its health goes. */
export type DrawingOutcome =
  | { judged: Judged; failure?: undefined }
  | { judged: Judged; failure: Failure }
  | { refusal: GatewayError; failure: Failure }

/**
 * The same as an outcome. Another channel may be asked only where this one surely has not taken the task: its accounts are
 * gone, its queue is full, or its status says so.
 */
export function outcomeOf(reply: TaskReply, asked: Parameters<typeof judge>[1]): DrawingOutcome {
  const { status, headers, bytes } = reply
  const text = bytes.toString('utf8')
  let judged: Judged
  try {
    judged = judge(reply, asked)
  } catch (refusal) {
    if (!(refusal instanceof GatewayError)) throw refusal
    const found = status >= 400 ? readFailure(status, text) : failure(502, 'an answer that cannot be read')
    return { refusal, failure: { ...found, retry: 'never' } }
  }
  const { row, accepted } = judged
  if (accepted && status === 200) return { judged }
  const busy = row.code === QUEUE_FULL ? 429 : row.code === NO_ACCOUNT ? 503 : undefined
  if (busy === undefined && status < 400) return { judged }
  const retryAfterMs = retryAfter(headers, text, asked.now)
  const found = failure(busy ?? status, String(row.description))
  return {
    judged,
    failure: {
      ...found,
      ...(retryAfterMs !== undefined && { retryAfterMs }),
      ...(accepted && { retry: 'never' }),
    },
  }
}

/** The object that every answer of a drawing proxy is. Throws DRAWING_REFUSED. */
export function readAnswer({ status, bytes }: Pick<TaskReply, 'status' | 'bytes'>): Json {
  const refuse = (reason: string, result: string) => refuseDrawing(reason, { result, code: UPSTREAM_ERROR })
  if (bytes.length === 0) throw refuse('empty_response_body', `the upstream answered ${status} with nothing`)
  const answer = parseObject(bytes.toString('utf8'))
  if (answer && Number.isSafeInteger(answer.code) && status >= 200 && (status < 300 || status >= 400)) return answer
  throw refuse('unmarshal_response_body_failed', `the upstream answered ${status} with what cannot be read`)
}

/** The id of the task that an upstream has taken. Uploads are done at once, and may answer their addresses instead. */
function taskOf({ result }: Json, action: DrawingAction): string {
  const mjId = typeof result === 'number' || typeof result === 'string' ? String(result) : ''
  const unreadable = (text: string) =>
    refuseDrawing('unmarshal_response_body_failed', { result: text, code: UPSTREAM_ERROR })
  // Cut, an id would be asked for in vain.
  if (mjId.length > MJ_ID_LENGTH_MAX || mjId.includes('\0')) throw unreadable('the task has an id that cannot be kept')
  if (mjId === '' && action !== 'UPLOAD') throw unreadable('the answer names no task')
  return mjId
}

/** A task that goes on although this follow-up was refused must not be found as a failed one. */
function rejectedId({ result }: Json, taskId: string | undefined): string {
  const named = typeof result === 'number' || typeof result === 'string' ? String(result) : ''
  return named === taskId || named.length > MJ_ID_LENGTH_MAX ? '' : named
}

function acceptedColumns(
  { code, result, properties: given }: Json,
  action: DrawingAction,
  now: number,
): Record<string, string | number> {
  const done = { status: 'SUCCESS', progress: FINISHED, start_time: now, finish_time: now }
  if (action === 'UPLOAD' && code === SUBMITTED) {
    const [first] = Array.isArray(result) ? result : []
    return { code: SUBMITTED, ...done, image_url: typeof first === 'string' ? first : '' }
  }
  const known = { status: '', progress: '0%' }
  if (code !== EXISTS) return { code: code as number, ...known }
  const properties = objectOf(given)
  const image_url = typeof properties.imageUrl === 'string' ? properties.imageUrl : ''
  const status = typeof properties.status === 'string' ? properties.status : ''
  if (status === 'SUCCESS') return { code: SUBMITTED, ...done, image_url }
  return { code: EXISTS, ...known, image_url, status }
}

/** The answer as the client is told it; undefined where it goes on byte for byte. */
function told(
  answer: Json,
  { action, mjId, clean, forward }: Words & { action: DrawingAction; mjId: string },
): Json | undefined {
  if (action === 'SWAP_FACE') return { ...whole(answer), ...(isAccepted(answer) ? {} : cleaned(answer, clean)) }
  if (!isAccepted(answer)) {
    const description = cleaned(answer, clean)
    return description.description === answer.description ? undefined : { ...answer, ...description }
  }
  const properties = objectOf(answer.properties)
  const image = typeof properties.imageUrl === 'string' ? properties.imageUrl : ''
  const address = image && forward({ mj_id: mjId, image_url: image })
  const moved = address !== image
  // The client must open the window of these itself, and knows it by the code.
  const isOne = answer.code === QUEUED || (answer.code === EXISTS && !opensModal(action))
  if (!moved && !isOne) return undefined
  return {
    ...answer,
    ...(isOne && { code: SUBMITTED }),
    ...(moved && { properties: { ...properties, imageUrl: address } }),
  }
}

const isAccepted = ({ code }: Json) => ACCEPTED.has(code as number)

/** An answer with each of the documented fields, whatever else is in it. */
export function whole(answer: Json): Json {
  return { code: 0, description: '', properties: null, result: '', ...answer }
}

function cleaned({ description }: Json, clean: (text: string) => string): Json {
  return typeof description === 'string' ? { description: clean(description) } : {}
}

function descriptionOf({ description }: Json): string {
  if (description === undefined || description === null) return ''
  return wordOf(description)
}

import type { LiveChannel } from '../../../../core/channels/routing/directory.ts'
import { GatewayError } from '../../../../core/errors.ts'
import { parseObject } from '../../../../core/input.ts'
import { failureMessage } from '../../../../core/messages/reasons.ts'
import { recordOf } from '../../../../core/records.ts'
import { type DrawingAction, opensModal } from '../../../../core/tasks/drawing-actions.ts'
import { ADDRESS_LENGTH_MAX } from '../../../../core/tasks/drawing-progress.ts'
import { FINISHED } from '../../../../core/tasks/lifecycle.ts'
import { retryAfter } from '../../attempt/retry-after.ts'
import { isTooDeep, type Json, mapTexts, textOf, wordOf } from '../../json.ts'
import { createFailure, readFailure, withoutChannelSecrets, withoutSecrets } from '../../providers/failure.ts'
import type { Failure } from '../../providers/provider.ts'
import type { TaskReply } from '../exchange.ts'
import { drawingError, UPSTREAM_ERROR } from './refusal.ts'

const SUBMITTED = 1
const NO_ACCOUNT = 3
const INVALID = 4
const EXISTS = 21
const QUEUED = 22
const QUEUE_FULL = 23
const BANNED = 24
const ACCEPTED: ReadonlySet<number> = new Set([SUBMITTED, EXISTS, QUEUED])
const MJ_ID_LENGTH_MAX = 255
const NO_ACCOUNT_TEXT = 'No available account instance'
/** Codes of a drawing server for an invalid request, which any client can cause. */
const REQUEST_CODES: ReadonlySet<unknown> = new Set([INVALID, BANNED])
/** Statuses with which any code may concern the account, because some upstreams use the code 4 for all errors. */
const ACCOUNT_STATUSES: ReadonlySet<number> = new Set([400, 401, 402, 403, 429])

/** A drawing server's reply to a submission, and its consequences. */
export interface EvaluatedReply {
  /** Whether the upstream accepted the task. */
  accepted: boolean
  /** Whether the gateway charges the price. */
  charged: boolean
  /** The upstream's id of the task, or '' if it returned no usable id. */
  mjId: string
  /** The columns of the task that follow from the reply. */
  row: Readonly<Record<string, string | number>>
  status: number
  /** The reply for the client. */
  body: Buffer
}

/** Functions that change an upstream's texts for a client. */
export interface TextFunctions {
  /** Masks secrets in texts that the upstream wrote. */
  clean: (text: string) => string
  /** Masks secrets in texts that may repeat the client's texts, or that clients send back. */
  cleanOwn: (text: string) => string
  /** Returns the gateway's URL of an image. */
  forward: (picture: { mj_id: string; image_url: string }) => string
}

export function wordsFor(channel: LiveChannel): Pick<TextFunctions, 'clean' | 'cleanOwn'> {
  return {
    clean: (text) => withoutSecrets(text, channel),
    cleanOwn: (text) => withoutChannelSecrets(text, channel),
  }
}

/**
 * Evaluates the reply to a submission. `now` is in unix milliseconds. Throws DRAWING_REFUSED if the reply contains no
 * usable task, which is not charged.
 */
function evaluate(
  { status, bytes }: Pick<TaskReply, 'status' | 'bytes'>,
  {
    action,
    taskId,
    now,
    ...words
  }: TextFunctions & {
    action: DrawingAction
    /** Id of the previous task that this task continues, if any. */
    taskId: string | undefined
    now: number
  },
): EvaluatedReply {
  const answer = readAnswer({ status, bytes })
  const code = answer.code as number
  const accepted = isAccepted(answer)
  const { status: existingStatus, failReason } = code === EXISTS ? recordOf(answer.properties) : {}
  const isFailed = !accepted || existingStatus === 'FAILURE'
  const mjId = isFailed ? rejectedId(answer, taskId) : acceptedId(answer, action)
  const description = words.clean(descriptionOf(answer))
  const fail_reason = words.clean(textOf(failReason) ?? description)
  const failedColumns = { code, status: 'FAILURE', progress: FINISHED, finish_time: now, fail_reason }
  const columns = isFailed ? failedColumns : acceptedColumns(answer, { action, mjId, now })
  const changedReply = clientReply(answer, { action, mjId, ...words })
  return {
    accepted,
    charged: !isFailed && status === 200 && (action !== 'SWAP_FACE' || code === SUBMITTED),
    mjId,
    row: { submit_time: now, mj_id: mjId, description, ...columns },
    status,
    body: changedReply ? Buffer.from(JSON.stringify(changedReply)) : bytes,
  }
}

/** The result of one channel: a reply to store, or an error. `failure` is for health and retries. */
export type DrawingOutcome =
  | { evaluated: EvaluatedReply; failure?: undefined }
  | { evaluated: EvaluatedReply; failure: Failure }
  | { refusal: GatewayError; failure: Failure }

/**
 * Converts a reply to the outcome of a channel. Allows another channel only if this channel has certainly not accepted
 * the task: if it reports a missing account or a full queue, or replies with an error status that allows a retry.
 */
export function drawingOutcomeOf(
  reply: TaskReply,
  submission: Parameters<typeof evaluate>[1] & {
    /** Whether any account could serve the request. */
    suitsAll: boolean
  },
): DrawingOutcome {
  const { status, headers, bytes } = reply
  const text = bytes.toString('utf8')
  let evaluated: EvaluatedReply
  try {
    evaluated = evaluate(reply, submission)
  } catch (refusal) {
    if (!(refusal instanceof GatewayError)) throw refusal
    const upstreamFailure = status >= 400 ? readFailure(status, text) : createFailure(502, failureMessage('notObject'))
    return { refusal, failure: { ...upstreamFailure, retry: 'never' } }
  }
  const { row, accepted } = evaluated
  if (accepted && status === 200) return { evaluated }
  if (row.code === NO_ACCOUNT) {
    // If the request needs a certain account, only the request has failed, because the server may have other accounts.
    const evidence = submission.suitsAll ? 'account' : 'request'
    return { evaluated, failure: { ...createFailure(503, `${NO_ACCOUNT_TEXT}: ${row.description}`), evidence } }
  }
  if (REQUEST_CODES.has(row.code) && row.description !== '' && !ACCOUNT_STATUSES.has(status)) return { evaluated }
  const busyStatus = row.code === QUEUE_FULL ? 429 : undefined
  if (busyStatus === undefined && status < 400) return { evaluated }
  const retryAfterMs = retryAfter(headers, text, submission.now)
  const upstreamFailure = createFailure(busyStatus ?? status, String(row.description))
  return {
    evaluated,
    failure: {
      ...upstreamFailure,
      ...(retryAfterMs !== undefined && { retryAfterMs }),
      ...(accepted && { retry: 'never' }),
    },
  }
}

/** Returns the JSON object of a drawing server's reply. Throws DRAWING_REFUSED. */
export function readAnswer({ status, bytes }: Pick<TaskReply, 'status' | 'bytes'>): Json {
  const refuse = (reason: string, result: string) => drawingError(reason, { result, code: UPSTREAM_ERROR })
  if (bytes.length === 0) throw refuse('empty_response_body', `the upstream sent status ${status} with an empty body`)
  const answer = parseObject(bytes.toString('utf8'))
  if (isTooDeep(answer, bytes.length)) throw refuse('unmarshal_response_body_failed', 'the answer is nested too deeply')
  if (answer && Number.isSafeInteger(answer.code) && status >= 200 && (status < 300 || status >= 400)) return answer
  throw refuse('unmarshal_response_body_failed', `the upstream sent status ${status} with an unreadable body`)
}

/** Returns a reply's task id as a string, or '' if there is none. */
function resultId({ result }: Json): string {
  return typeof result === 'number' || typeof result === 'string' ? String(result) : ''
}

/** Returns the id of an accepted task, or '' for an upload that returns URLs. Throws DRAWING_REFUSED for a bad id. */
function acceptedId(answer: Json, action: DrawingAction): string {
  const mjId = resultId(answer)
  const unreadable = (text: string) =>
    drawingError('unmarshal_response_body_failed', { result: text, code: UPSTREAM_ERROR })
  // A truncated id could not be polled.
  if (mjId.length > MJ_ID_LENGTH_MAX || mjId.includes('\0')) throw unreadable('the task id cannot be stored')
  if (mjId === '' && action !== 'UPLOAD') throw unreadable('the reply has no task id')
  return mjId
}

/** Returns the id of a rejected task, or '' for the id of the previous task, which has not failed. */
function rejectedId(answer: Json, taskId: string | undefined): string {
  const mjId = resultId(answer)
  return mjId === taskId || mjId.length > MJ_ID_LENGTH_MAX ? '' : mjId
}

function acceptedColumns(
  { code, result, properties: given }: Json,
  { action, mjId, now }: { action: DrawingAction; mjId: string; now: number },
): Record<string, string | number> {
  const finished = { status: 'SUCCESS', progress: FINISHED, start_time: now, finish_time: now }
  const properties = recordOf(given)
  const imageUrl = textOf(properties.imageUrl) ?? ''
  // An upload without an id counts as finished, because it cannot be polled.
  if (action === 'UPLOAD' && (code === SUBMITTED || mjId === '')) {
    const [first] = Array.isArray(result) ? result : []
    return { code: SUBMITTED, ...finished, image_url: addressOf(textOf(first) ?? imageUrl) }
  }
  const started = { status: '', progress: '0%' }
  if (code !== EXISTS) return { code: code as number, ...started }
  const image_url = addressOf(imageUrl)
  const status = textOf(properties.status) ?? ''
  if (status === 'SUCCESS') return { code: SUBMITTED, ...finished, image_url }
  return { code: EXISTS, ...started, image_url, status }
}

/** Returns a URL, or '' if it is too long, because a truncated URL would point elsewhere. */
const addressOf = (text: string) => (text.length <= ADDRESS_LENGTH_MAX ? text : '')

/** Returns the changed reply for the client, or undefined if the client gets the original bytes. */
function clientReply(
  given: Json,
  { action, mjId, forward, ...words }: TextFunctions & { action: DrawingAction; mjId: string },
): Json | undefined {
  const answer = cleanAnswer(given, words)
  if (action === 'SWAP_FACE') return withAllFields(answer)
  const changed = answer === given ? undefined : answer
  if (!isAccepted(answer)) return changed
  const properties = recordOf(answer.properties)
  const image = typeof properties.imageUrl === 'string' ? properties.imageUrl : ''
  const address = image && forward({ mj_id: mjId, image_url: image })
  const hasOtherUrl = address !== image
  // Actions with a modal window keep the code EXISTS, at which the client opens the window.
  const becomesSubmitted = answer.code === QUEUED || (answer.code === EXISTS && !opensModal(action))
  if (!hasOtherUrl && !becomesSubmitted) return changed
  return {
    ...answer,
    ...(becomesSubmitted && { code: SUBMITTED }),
    ...(hasOtherUrl && { properties: { ...properties, imageUrl: address } }),
  }
}

const isAccepted = ({ code }: Json) => ACCEPTED.has(code as number)

/** Adds missing documented fields to a reply. */
export function withAllFields(answer: Json): Json {
  return { code: 0, description: '', properties: null, result: '', ...answer }
}

/** Masks secrets in a reply, except in ids and image URLs. */
export function cleanAnswer(answer: Json, { clean, cleanOwn }: Pick<TextFunctions, 'clean' | 'cleanOwn'>): Json {
  const { result, ...fields } = answer
  const texts = mapTexts(fields, (text, name) => {
    if (name === 'imageUrl') return text
    return name === 'description' ? clean(text) : cleanOwn(text)
  }) as Json
  return texts === fields ? answer : { ...answer, ...texts }
}

function descriptionOf({ description }: Json): string {
  if (description === undefined || description === null) return ''
  return wordOf(description)
}

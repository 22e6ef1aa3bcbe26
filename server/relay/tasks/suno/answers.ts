import type { LiveChannel } from '../../../../core/channels/routing/directory.ts'
import { parseObject } from '../../../../core/input.ts'
import { failureMessage, type Reason } from '../../../../core/messages/reasons.ts'
import { storableJson } from '../../../../core/tasks/stored-json.ts'
import { retryAfter } from '../../attempt/retry-after.ts'
import { objectsOf, textOf } from '../../json.ts'
import { createFailure, readFailure, toClientFailure } from '../../providers/failure.ts'
import type { Failure } from '../../providers/provider.ts'
import type { TaskReply } from '../exchange.ts'

/** Maximum length of a task id, which is the length of its column. */
const TASK_ID_LENGTH_MAX = 50
/** Maximum length of a task's result. Songs with lyrics have several thousand characters. */
const DATA_LENGTH_MAX = 256 * 1024
const OK = 200
const BAD_REQUEST = 400
/** Matches error codes for a bad request. */
const REQUEST_CODE =
  /^(invalid_(request|action|param\w*|prompt\w*)|bad_request|prompt_\w+|param\w*|sensitive\w*|task_(origin_)?not_exist)$/i
/** Matches error codes about an account, a limit or a server. */
const TROUBLE_CODE =
  /auth|account|token|quota|balance|credit|limit|busy|queue|full|server|internal|system|time_?out|unavailable|overload|fail|channel/i
/** Matches words about an account, a limit or a server in an error's message. */
const TROUBLE =
  /accounts?|unauthori[sz]ed|quota|balance|credits?|rate.?limit\w*|too many|concurren\w*|busy|queue|overload\w*|internal|server|unavailable|timed? ?out|maintenance|try again|余额|额度|账[号户]|繁忙|限流|频繁|超时|服务/g

/** The result of a submission: an accepted task with the reply's bytes, or a failure. */
export type Submitted =
  | { taskId: string; bytes: Buffer; failure?: undefined }
  | { failure: Failure; code?: string | undefined }

/**
 * Evaluates the reply to a submission. Allows another channel only after a clear refusal, because after an unreadable
 * reply, a task may be running. `clientText` returns the client's body in lower case.
 */
export function readSubmitted(
  { status, headers, bytes }: TaskReply,
  channel: LiveChannel,
  clientText: () => string,
): Submitted {
  const text = bytes.toString('utf8')
  if (status !== OK) {
    const retryAfterMs = retryAfter(headers, text, Date.now())
    const reported = toClientFailure(readFailure(status, text), channel)
    return { failure: { ...reported, ...(retryAfterMs !== undefined && { retryAfterMs }) }, code: 'fail_to_fetch_task' }
  }
  const body = parseObject(text)
  if (!body || typeof body.code !== 'string') return unreadable(failureMessage('noTask'), channel)
  if (body.code !== 'success') return { failure: readRefusal(text, channel, clientText) }
  const taskId = textOf(body.data)
  if (taskId === undefined) return unreadable(failureMessage('noTaskId'), channel)
  if ([...taskId].length > TASK_ID_LENGTH_MAX || taskId.includes('\0')) {
    return unreadable(failureMessage('unstorableId'), channel)
  }
  return { taskId, bytes }
}

/**
 * Converts a refusal with status 200 to a failure, for which clients get status 500. Only if the refusal mentions an
 * account, a limit or a server, the relay tries another channel, and the failure affects the channel's health.
 */
function readRefusal(text: string, channel: LiveChannel, clientText: () => string): Failure {
  const upstreamFailure = readFailure(BAD_REQUEST, text)
  const { code, message } = upstreamFailure
  if (!isAboutRequest(code ?? '', message, clientText)) return toClientFailure(readFailure(500, text), channel)
  const clientFailure = toClientFailure(upstreamFailure, channel)
  const status = clientFailure.originalStatus === undefined ? 500 : clientFailure.status
  return { ...clientFailure, status, originalStatus: BAD_REQUEST }
}

function isAboutRequest(code: string, message: string, clientText: () => string): boolean {
  if (REQUEST_CODE.test(code)) return true
  if (TROUBLE_CODE.test(code)) return false
  const words = [...message.toLowerCase().matchAll(TROUBLE)].map(([word]) => word)
  if (words.length === 0) return true
  // The upstream may only repeat words of the client's text.
  const ownText = clientText()
  return words.every((word) => ownText.includes(word))
}

/** Returns the failure for an unreadable reply, after which a task may be running, but cannot be polled. */
export function unreadable(message: Reason, channel: LiveChannel): { failure: Failure; code: string } {
  const badReply = createFailure(502, message, { code: 'bad_response_body' })
  return { failure: { ...toClientFailure(badReply, channel), retry: 'never' }, code: 'bad_response_body' }
}

/** An upstream's report of one task. Any field may be missing. */
export interface MusicReport {
  status?: string
  failReason?: string
  progress?: string
  /** Unix seconds. `finishTime` has the same unit. */
  startTime?: number
  finishTime?: number
  /** The task's result as JSON. */
  data?: string
}

/** Returns an upstream's reports by task id, or undefined if the reply is invalid. */
export function readReports({ status, bytes }: TaskReply, channel: LiveChannel): Map<string, MusicReport> | undefined {
  const body = status === OK ? parseObject(bytes.toString('utf8')) : undefined
  if (body?.code !== 'success' || !(Array.isArray(body.data) || body.data === null)) return undefined
  const reports = new Map<string, MusicReport>()
  for (const item of objectsOf(body.data)) {
    const id = textOf(item.task_id)
    if (id === undefined) continue
    const [status, failReason, progress] = [textOf(item.status), textOf(item.fail_reason), textOf(item.progress)]
    const data = hasData(item.data) ? storableJson(item.data, DATA_LENGTH_MAX) : undefined
    const [startTime, finishTime] = [secondsOf(item.start_time), secondsOf(item.finish_time)]
    reports.set(id, {
      ...(status !== undefined && { status }),
      ...(failReason !== undefined && { failReason: toClientFailure(createFailure(500, failReason), channel).message }),
      ...(progress !== undefined && { progress }),
      ...(startTime !== undefined && { startTime }),
      ...(finishTime !== undefined && { finishTime }),
      ...(data !== undefined && { data }),
    })
  }
  return reports
}

function hasData(data: unknown): boolean {
  if (data === undefined || data === null || data === '') return false
  return !(Array.isArray(data) && data.length === 0)
}

/** The greatest time that counts as seconds. Greater values count as milliseconds. */
const SECONDS_MAX = 1e11

function secondsOf(time: unknown): number | undefined {
  if (typeof time !== 'number' || !(time > 0) || time > Number.MAX_SAFE_INTEGER) return undefined
  return Math.trunc(time > SECONDS_MAX ? time / 1000 : time)
}

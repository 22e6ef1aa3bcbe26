import type { LiveChannel } from '../../../../core/channels/directory.ts'
import { storableJson } from '../../../../core/tasks/stored-json.ts'
import { retryAfter } from '../../attempt/retry-after.ts'
import { objectsOf, parseObject, textOf } from '../../json.ts'
import { failure, presentable, readFailure } from '../../providers/failure.ts'
import type { Failure } from '../../providers/provider.ts'
import type { TaskReply } from '../exchange.ts'

/** As long as the column: what is longer could not be asked for again. */
const TASK_ID_LENGTH_MAX = 50
/** Of what was made. Songs with their words come to some thousand characters. */
const DATA_LENGTH_MAX = 256 * 1024
const OK = 200
const REFUSED = 400
const REQUEST_CODE =
  /^(invalid_(request|action|param\w*|prompt\w*)|bad_request|prompt_\w+|param\w*|sensitive\w*|task_(origin_)?not_exist)$/i
const TROUBLE_CODE =
  /auth|account|token|quota|balance|credit|limit|busy|queue|full|server|internal|system|time_?out|unavailable|overload|fail|channel/i
const TROUBLE =
  /accounts?|unauthori[sz]ed|quota|balance|credits?|rate.?limit\w*|too many|concurren\w*|busy|queue|overload\w*|internal|server|unavailable|timed? ?out|maintenance|try again|余额|额度|账[号户]|繁忙|限流|频繁|超时|服务/g

/** A task that an upstream took, with its answer as it came, or why it did not. */
export type Submitted =
  | { taskId: string; bytes: Buffer; failure?: undefined }
  | { failure: Failure; code?: string | undefined }

/**
 * What an upstream says to a submission. Only a clear refusal lets another channel be asked: behind an answer that cannot be
 * understood there may be a task that runs already. `said` is what the client wrote, in lower case.
 */
export function readSubmitted(
  { status, headers, bytes }: TaskReply,
  channel: LiveChannel,
  said: () => string,
): Submitted {
  const text = bytes.toString('utf8')
  if (status !== OK) {
    const retryAfterMs = retryAfter(headers, text, Date.now())
    const found = presentable(readFailure(status, text), channel)
    return { failure: { ...found, ...(retryAfterMs !== undefined && { retryAfterMs }) }, code: 'fail_to_fetch_task' }
  }
  const body = parseObject(text)
  if (!body || typeof body.code !== 'string')
    return unreadable('The upstream answered with something else than a task', channel)
  if (body.code !== 'success') return { failure: refusal(text, channel, said) }
  const taskId = textOf(body.data)
  if (taskId === undefined) return unreadable('The upstream answered without the id of a task', channel)
  if ([...taskId].length > TASK_ID_LENGTH_MAX || taskId.includes('\0')) {
    return unreadable('The upstream answered with an id that cannot be kept', channel)
  }
  return { taskId, bytes }
}

/**
 * A refusal with status 200 is a 500 for clients, but says nothing against the upstream, and another would refuse it too,
 * unless it names an account, a limit or a server.
 */
function refusal(text: string, channel: LiveChannel, said: () => string): Failure {
  const found = readFailure(REFUSED, text)
  const { code, message } = found
  if (!isAboutRequest(code ?? '', message, said)) return presentable(readFailure(500, text), channel)
  const shown = presentable(found, channel)
  return { ...shown, status: shown.originalStatus === undefined ? 500 : shown.status, originalStatus: REFUSED }
}

function isAboutRequest(code: string, message: string, said: () => string): boolean {
  if (REQUEST_CODE.test(code)) return true
  if (TROUBLE_CODE.test(code)) return false
  const words = [...message.toLowerCase().matchAll(TROUBLE)].map(([word]) => word)
  if (words.length === 0) return true
  // A word of the client's own that comes back proves nothing.
  const own = said()
  return words.every((word) => own.includes(word))
}

/** An answer behind which there may be a task that nobody can follow. */
export function unreadable(message: string, channel: LiveChannel): { failure: Failure; code: string } {
  const found = failure(502, message, { code: 'bad_response_body' })
  return { failure: { ...presentable(found, channel), retry: 'never' }, code: 'bad_response_body' }
}

/** What an upstream says of one task; whatever it leaves out is absent. */
export interface MusicReport {
  status?: string
  failReason?: string
  progress?: string
  /** Unix seconds. */
  startTime?: number
  finishTime?: number
  /** JSON text. */
  data?: string
}

/** What an upstream says of the tasks it was asked for, by their ids. Undefined: that is no such answer. */
export function readReports({ status, bytes }: TaskReply, channel: LiveChannel): Map<string, MusicReport> | undefined {
  const body = status === OK ? parseObject(bytes.toString('utf8')) : undefined
  if (body?.code !== 'success' || !(Array.isArray(body.data) || body.data === null)) return undefined
  const reports = new Map<string, MusicReport>()
  for (const said of objectsOf(body.data)) {
    const id = textOf(said.task_id)
    if (id === undefined) continue
    const [status, failReason, progress] = [textOf(said.status), textOf(said.fail_reason), textOf(said.progress)]
    const data = isThere(said.data) ? storableJson(said.data, DATA_LENGTH_MAX) : undefined
    const [startTime, finishTime] = [secondsOf(said.start_time), secondsOf(said.finish_time)]
    reports.set(id, {
      ...(status !== undefined && { status }),
      ...(failReason !== undefined && { failReason: presentable(failure(500, failReason), channel).message }),
      ...(progress !== undefined && { progress }),
      ...(startTime !== undefined && { startTime }),
      ...(finishTime !== undefined && { finishTime }),
      ...(data !== undefined && { data }),
    })
  }
  return reports
}

function isThere(data: unknown): boolean {
  if (data === undefined || data === null || data === '') return false
  return !(Array.isArray(data) && data.length === 0)
}

/** Beyond the year 5000, it is milliseconds. */
const SECONDS_MAX = 1e11

function secondsOf(time: unknown): number | undefined {
  if (typeof time !== 'number' || !(time > 0) || time > Number.MAX_SAFE_INTEGER) return undefined
  return Math.trunc(time > SECONDS_MAX ? time / 1000 : time)
}

import type { LiveChannel } from '../../../../core/channels/directory.ts'
import { storableJson } from '../../../../core/tasks/stored-json.ts'
import { objectsOf, parseObject, textOf } from '../../json.ts'
import { failure, presentable, readFailure } from '../../providers/failure.ts'
import type { Failure } from '../../providers/provider.ts'
import { retryAfter } from '../../retry-after.ts'
import type { TaskReply } from '../exchange.ts'

/** As long as the column: what is longer could not be asked for again. */
const TASK_ID_LENGTH_MAX = 50
/** Of what was made. Songs with their words come to some thousand characters. */
const DATA_LENGTH_MAX = 256 * 1024
const OK = 200

/** A task that an upstream took, with its answer as it came, or why it did not. */
export type Submitted =
  | { taskId: string; bytes: Buffer; failure?: undefined }
  | { failure: Failure; code?: string | undefined }

/**
 * What an upstream says to a submission. Only a clear refusal lets another channel be asked: behind an answer that cannot be
 * understood there may be a task that runs already.
 */
export function readSubmitted({ status, headers, bytes }: TaskReply, channel: LiveChannel): Submitted {
  const text = bytes.toString('utf8')
  if (status !== OK) {
    const retryAfterMs = retryAfter(headers, text, Date.now())
    const found = presentable(readFailure(status, text), channel)
    return { failure: { ...found, ...(retryAfterMs !== undefined && { retryAfterMs }) }, code: 'fail_to_fetch_task' }
  }
  const body = parseObject(text)
  if (!body || typeof body.code !== 'string')
    return unreadable('The upstream answered with something else than a task', channel)
  if (body.code !== 'success') return { failure: presentable(readFailure(500, text), channel) }
  const taskId = textOf(body.data)
  if (taskId === undefined) return unreadable('The upstream answered without the id of a task', channel)
  if ([...taskId].length > TASK_ID_LENGTH_MAX || taskId.includes('\0')) {
    return unreadable('The upstream answered with an id that cannot be kept', channel)
  }
  return { taskId, bytes }
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

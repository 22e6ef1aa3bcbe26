import { toTaskRow } from '../ledger/batch.ts'
import { FINISHED, type TaskEnd, type UnfinishedTask } from './lifecycle.ts'
import { storableJson } from './stored-json.ts'

/** A drawing fails if it has not ended after this time. */
export const DRAWING_TIMEOUT_MS = 3_600_000
/** A drawing of this age always fails. Otherwise a process that often restarts would poll the drawing forever. */
const AGE_MAX_MS = 24 * DRAWING_TIMEOUT_MS
export const TIMED_OUT = '上游任务超时（超过1小时）'
const NEVER_NAMED = '上游没有给出任务ID'

/** The columns of a drawing whose values come from its upstream. */
export const REPORTED_COLUMNS = [
  ...['prompt_en', 'state', 'start_time', 'finish_time', 'image_url', 'video_url', 'status', 'progress', 'fail_reason'],
  ...['buttons', 'properties'],
] as const
type DrawingColumns = Readonly<Partial<Record<(typeof REPORTED_COLUMNS)[number] | 'code', string | number>>>

interface DrawingStep {
  changes: DrawingColumns
  /** The outcome of the drawing. Undefined if it has not ended. */
  end: TaskEnd | undefined
}

/** The order of a drawing's statuses. An unknown status ranks like SUBMITTED. */
const RANK: ReadonlyMap<string, number> = new Map([
  ['', 0],
  ['NOT_START', 1],
  ['MODAL', 1],
  ['SUBMITTED', 2],
  ['IN_PROGRESS', 3],
  ['SUCCESS', 4],
  ['FAILURE', 4],
])
const RANK_OF_UNKNOWN = 2
/** Maximum length of a URL. A longer URL is omitted, because a cut URL would be a different one. */
export const ADDRESS_LENGTH_MAX = 10_000
const JSON_LENGTH_MAX = 20_000
const TEXTS = {
  promptEn: 'prompt_en',
  state: 'state',
  status: 'status',
  progress: 'progress',
  failReason: 'fail_reason',
} as const
const ADDRESSES = { imageUrl: 'image_url', videoUrl: 'video_url' } as const
const TIMES = { startTime: 'start_time', finishTime: 'finish_time' } as const

/** A valid reply of a drawing proxy to a poll, if any. `report` is undefined if the reply lacks the drawing. */
type DrawingReply = { report: Readonly<Record<string, unknown>> | undefined } | undefined

/**
 * Returns the columns to write after a poll, or undefined if none change. Empty fields of a report do not change stored
 * values. If the reported status ranks below the stored one, the report's status and progress are ignored.
 *
 * A drawing fails if it has not ended an hour after its submission. Without a reply of its upstream, the hour starts at
 * `watchedSince` at the earliest. So drawings are still polled after a downtime of the gateway. After a day, a drawing
 * always fails. All times are Unix milliseconds.
 */
export function nextStep(
  { submitTime, stored }: Pick<UnfinishedTask, 'submitTime' | 'stored'>,
  reply: DrawingReply,
  { now, watchedSince }: { now: number; watchedSince: number },
): DrawingStep | undefined {
  // Cut the values to the lengths of the columns. Otherwise each poll would find a longer value to be changed.
  const reported: DrawingColumns = reply?.report ? toTaskRow({ row: columnsOf(reply.report) }) : {}
  const end = endOf(reported)
  if (end) {
    const status = end === 'success' ? 'SUCCESS' : 'FAILURE'
    return {
      changes: { ...reported, code: 1, status, progress: FINISHED, finish_time: reported.finish_time ?? now },
      end,
    }
  }
  const waitedSince = reply ? submitTime : Math.max(submitTime, watchedSince)
  if (now - waitedSince > DRAWING_TIMEOUT_MS || now - submitTime > AGE_MAX_MS) return failedStep(TIMED_OUT, now)
  if (!reply?.report) return undefined
  const changes = changedColumns(stored, withoutRegression(stored, reported))
  return Object.keys(changes).length ? { changes: { ...changes, code: 1 }, end: undefined } : undefined
}

/** Returns the step for a drawing that has no upstream id. Such a drawing cannot be polled. */
export function unnamedStep(now: number): DrawingStep {
  return failedStep(NEVER_NAMED, now)
}

/** Returns the step that ends a drawing as failed. */
export function failedStep(reason: string, now: number): DrawingStep {
  return { changes: { status: 'FAILURE', fail_reason: reason, finish_time: now }, end: 'failure' }
}

function endOf({ status, progress, fail_reason }: DrawingColumns): TaskEnd | undefined {
  if (status === 'FAILURE') return 'failure'
  const isComplete = progress === FINISHED
  if (fail_reason !== undefined && !isComplete) return 'failure'
  if (status === 'SUCCESS') return 'success'
  // Some proxies send only the progress. With a status that is not final, the image is not ready yet.
  return isComplete && status === undefined ? 'success' : undefined
}

function withoutRegression(stored: Readonly<Record<string, unknown>>, reported: DrawingColumns): DrawingColumns {
  if (reported.status === undefined || rankOf(reported.status) >= rankOf(stored.status)) return reported
  const { status: _, progress: __, ...remaining } = reported
  return remaining
}

function rankOf(status: unknown): number {
  return RANK.get(String(status ?? '')) ?? RANK_OF_UNKNOWN
}

/** Converts an upstream's fields to columns. Missing, empty and too long values are omitted. */
function columnsOf(task: Readonly<Record<string, unknown>>): Record<string, string | number> {
  const reported: Record<string, string | number> = {}
  for (const [field, column] of Object.entries(TEXTS)) {
    const value = task[field]
    if (typeof value === 'string' && value !== '') reported[column] = value
  }
  for (const [field, column] of Object.entries(ADDRESSES)) {
    const value = task[field]
    if (typeof value === 'string' && value !== '' && value.length <= ADDRESS_LENGTH_MAX) reported[column] = value
  }
  for (const [field, column] of Object.entries(TIMES)) {
    const value = task[field]
    if (typeof value === 'number' && Number.isSafeInteger(value) && value > 0) reported[column] = value
  }
  const { buttons, properties } = task
  const json = {
    buttons: Array.isArray(buttons) && buttons.length ? storableJson(buttons, JSON_LENGTH_MAX) : undefined,
    properties: hasFields(properties) ? storableJson(properties, JSON_LENGTH_MAX) : undefined,
  }
  for (const [column, text] of Object.entries(json)) if (text !== undefined) reported[column] = text
  return reported
}

const hasFields = (value: unknown) => typeof value === 'object' && value !== null && Object.keys(value).length > 0

function changedColumns(stored: Readonly<Record<string, unknown>>, reported: DrawingColumns): DrawingColumns {
  return Object.fromEntries(
    // PostgreSQL returns large integers as strings.
    Object.entries(reported).filter(([column, value]) => String(stored[column] ?? '') !== String(value)),
  )
}

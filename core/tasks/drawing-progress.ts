import { FINISHED, type TaskEnd } from './lifecycle.ts'

/** Without an end for so long, a drawing has failed. */
export const DRAWING_TIMEOUT_MS = 3_600_000
export const TIMED_OUT = '上游任务超时（超过1小时）'

/** The columns of a drawing that its upstream decides. */
export const REPORTED_COLUMNS = [
  'code',
  'prompt_en',
  'state',
  'start_time',
  'finish_time',
  'image_url',
  'video_url',
  'status',
  'progress',
  'fail_reason',
  'buttons',
  'properties',
] as const
export type DrawingColumns = Readonly<Partial<Record<(typeof REPORTED_COLUMNS)[number], string | number>>>

export interface DrawingStep {
  /** Those that differ from what is stored. */
  changes: DrawingColumns
  end: TaskEnd | undefined
}

/** How far a drawing has come. A status that no row knows is on its way. */
const RANK: ReadonlyMap<string, number> = new Map([
  ['', 0],
  ['NOT_START', 1],
  ['MODAL', 1],
  ['SUBMITTED', 2],
  ['IN_PROGRESS', 3],
  ['SUCCESS', 4],
  ['FAILURE', 4],
])
const ON_ITS_WAY = 2
const TEXTS = {
  promptEn: 'prompt_en',
  state: 'state',
  imageUrl: 'image_url',
  videoUrl: 'video_url',
  status: 'status',
  progress: 'progress',
  failReason: 'fail_reason',
} as const
const TIMES = { startTime: 'start_time', finishTime: 'finish_time' } as const

/**
 * What to write of a drawing after its upstream was asked; undefined = nothing. `reported`: the upstream's task, whatever is
 * in it, or undefined where it was silent about this one. What is empty there stays as it is stored, and a status that goes
 * back is passed over with its progress. Times are unix milliseconds.
 */
export function nextStep(
  stored: Readonly<Record<string, unknown>> & { submitTime: number },
  reported: Readonly<Record<string, unknown>> | undefined,
  now: number,
): DrawingStep | undefined {
  const said = reported ? columnsOf(reported) : {}
  const end = endOf(said) ?? (now - stored.submitTime > DRAWING_TIMEOUT_MS ? 'timeout' : undefined)
  if (end === 'timeout') {
    return { changes: { status: 'FAILURE', fail_reason: TIMED_OUT, finish_time: now }, end: 'failure' }
  }
  if (end) {
    const status = end === 'success' ? 'SUCCESS' : 'FAILURE'
    return { changes: { ...said, code: 1, status, progress: FINISHED, finish_time: said.finish_time ?? now }, end }
  }
  const changes = differing(stored, { ...forward(stored, said), ...(reported && { code: 1 }) })
  // The code alone says nothing that anybody waits for.
  return Object.keys(changes).some((column) => column !== 'code') ? { changes, end: undefined } : undefined
}

/** A drawing that nobody can be asked about any more. */
export function failedStep(reason: string, now: number): DrawingStep {
  return { changes: { status: 'FAILURE', fail_reason: reason, finish_time: now }, end: 'failure' }
}

function endOf({ status, progress, fail_reason }: DrawingColumns): TaskEnd | undefined {
  if (status === 'FAILURE') return 'failure'
  const isWhole = progress === FINISHED
  if (fail_reason !== undefined && !isWhole) return 'failure'
  if (status === 'SUCCESS') return 'success'
  // Some proxies tell the progress alone. With a status that is not final, the picture is still on its way.
  return isWhole && status === undefined ? 'success' : undefined
}

function forward(stored: Readonly<Record<string, unknown>>, said: DrawingColumns): DrawingColumns {
  if (said.status === undefined || rankOf(said.status) >= rankOf(stored.status)) return said
  const { status: _, progress: __, ...rest } = said
  return rest
}

function rankOf(status: unknown): number {
  return RANK.get(String(status ?? '')) ?? ON_ITS_WAY
}

/** What an upstream says, as columns; what it leaves out or leaves empty is not there. */
function columnsOf(task: Readonly<Record<string, unknown>>): DrawingColumns {
  const said: Record<string, string | number> = {}
  for (const [field, column] of Object.entries(TEXTS)) {
    const value = task[field]
    if (typeof value === 'string' && value !== '') said[column] = value
  }
  for (const [field, column] of Object.entries(TIMES)) {
    const value = task[field]
    if (typeof value === 'number' && Number.isSafeInteger(value) && value > 0) said[column] = value
  }
  if (Array.isArray(task.buttons) && task.buttons.length) said.buttons = JSON.stringify(task.buttons)
  const { properties } = task
  if (typeof properties === 'object' && properties !== null && Object.keys(properties).length) {
    said.properties = JSON.stringify(properties)
  }
  return said
}

function differing(stored: Readonly<Record<string, unknown>>, said: DrawingColumns): DrawingColumns {
  return Object.fromEntries(
    // PostgreSQL answers its large integers as texts.
    Object.entries(said).filter(([column, value]) => String(stored[column] ?? '') !== String(value)),
  )
}

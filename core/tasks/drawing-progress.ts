import { toTaskRow } from '../ledger/batch.ts'
import { FINISHED, type TaskEnd, type UnfinishedTask } from './lifecycle.ts'
import { storableJson } from './stored-json.ts'

/** Without an end for so long, a drawing has failed. */
export const DRAWING_TIMEOUT_MS = 3_600_000
/** However alive it looks, and whoever has waited: else a process that is always new would give nothing up. */
const AGE_MAX_MS = 24 * DRAWING_TIMEOUT_MS
export const TIMED_OUT = '上游任务超时（超过1小时）'
const NEVER_NAMED = '上游没有给出任务ID'

/** The columns of a drawing that its upstream decides. */
export const REPORTED_COLUMNS = [
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
export type DrawingColumns = Readonly<Partial<Record<(typeof REPORTED_COLUMNS)[number] | 'code', string | number>>>

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
/** What is longer is left out: cut, an address or an object would be another. */
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

/** How a drawing's proxy answered in a round; undefined: not at all, or with something that is no answer. */
export type Heard = { report: Readonly<Record<string, unknown>> | undefined } | undefined

/**
 * What to write of a drawing after a round; undefined = nothing. What a report leaves empty stays as it is stored, and a status
 * that goes back is passed over with its progress. After an hour without an end a drawing has failed, also one that its
 * proxy no longer names; where nobody answers, an hour must have been waited here (`watchedSince`), or a gateway that was
 * away would ask nobody. After a day it has failed whatever is said. Times are unix milliseconds.
 */
export function nextStep(
  { submitTime, stored }: Pick<UnfinishedTask, 'submitTime' | 'stored'>,
  heard: Heard,
  { now, watchedSince }: { now: number; watchedSince: number },
): DrawingStep | undefined {
  // As it will be read again: what is cut would differ in every round.
  const said: DrawingColumns = heard?.report ? toTaskRow({ row: columnsOf(heard.report) }) : {}
  const end = endOf(said)
  if (end) {
    const status = end === 'success' ? 'SUCCESS' : 'FAILURE'
    return { changes: { ...said, code: 1, status, progress: FINISHED, finish_time: said.finish_time ?? now }, end }
  }
  const waitedSince = heard ? submitTime : Math.max(submitTime, watchedSince)
  if (now - waitedSince > DRAWING_TIMEOUT_MS || now - submitTime > AGE_MAX_MS) return failedStep(TIMED_OUT, now)
  if (!heard?.report) return undefined
  const changes = differing(stored, forward(stored, said))
  return Object.keys(changes).length ? { changes: { ...changes, code: 1 }, end: undefined } : undefined
}

/** A drawing without an id, of which nobody can be asked. */
export function unnamedStep(now: number): DrawingStep {
  return failedStep(NEVER_NAMED, now)
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
function columnsOf(task: Readonly<Record<string, unknown>>): Record<string, string | number> {
  const said: Record<string, string | number> = {}
  for (const [field, column] of Object.entries(TEXTS)) {
    const value = task[field]
    if (typeof value === 'string' && value !== '') said[column] = value
  }
  for (const [field, column] of Object.entries(ADDRESSES)) {
    const value = task[field]
    if (typeof value === 'string' && value !== '' && value.length <= ADDRESS_LENGTH_MAX) said[column] = value
  }
  for (const [field, column] of Object.entries(TIMES)) {
    const value = task[field]
    if (typeof value === 'number' && Number.isSafeInteger(value) && value > 0) said[column] = value
  }
  const { buttons, properties } = task
  const json = {
    buttons: Array.isArray(buttons) && buttons.length ? storableJson(buttons, JSON_LENGTH_MAX) : undefined,
    properties: hasFields(properties) ? storableJson(properties, JSON_LENGTH_MAX) : undefined,
  }
  for (const [column, text] of Object.entries(json)) if (text !== undefined) said[column] = text
  return said
}

const hasFields = (value: unknown) => typeof value === 'object' && value !== null && Object.keys(value).length > 0

function differing(stored: Readonly<Record<string, unknown>>, said: DrawingColumns): DrawingColumns {
  return Object.fromEntries(
    // PostgreSQL answers its large integers as texts.
    Object.entries(said).filter(([column, value]) => String(stored[column] ?? '') !== String(value)),
  )
}

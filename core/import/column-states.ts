import { createHash } from 'node:crypto'
import { fromJson, type JsonText } from '../db/json.ts'
import type { Secrets } from '../secrets.ts'
import type { ImportKind } from './kinds.ts'
import type { MappedRow } from './mappers/mapper.ts'

/**
 * Digests of two values of a column: the source's value at the last read, and the value that an import last wrote here.
 * The second is null if unknown. If both digests are equal, the state is a single string.
 */
type ColumnState = string | readonly [read: string, written: string | null]
export type ColumnStates = Readonly<Record<string, ColumnState>>
export type StoredStates = JsonText<ColumnStates> | null

type Values = Readonly<Record<string, unknown>>

/** Name of the only state of a row that is compared as a whole. */
const WHOLE = '*'
const DIGEST_LENGTH = 12
/** Replaces the read digest of the status if the row was deleted at the source. */
const GONE = digestOf('gone')
/** Columns whose values a report may contain. */
const REPORTED_COLUMNS = new Set([
  'status',
  'group',
  'deleted_at',
  'expired_time',
  'name',
  'display_name',
  'priority',
  'weight',
])

/** Plan of a later import for a row that an earlier import created. */
export interface RowPlan {
  /** Columns, or names of limits, to write. */
  write: string[]
  /** Report texts of the source's changes that are not written. */
  conflicts: string[]
  states: ColumnStates
}

interface UnfinishedPlan extends RowPlan {
  states: Record<string, ColumnState>
}

const newPlan = (before: ColumnStates): UnfinishedPlan => ({ write: [], conflicts: [], states: { ...before } })

/** Returns the columns that an update of the row may write. */
export function updatedColumns({ updated }: ImportKind, row: MappedRow): readonly string[] {
  return updated === 'all' ? Object.keys(row.fields) : updated
}

/** Returns the states of a row that is written with the source's values. */
export function firstStates(kind: ImportKind, row: MappedRow): ColumnStates {
  const values = [...sourceValues(kind, row), ...listedValues(kind, row)]
  return Object.fromEntries(values.map(([column, value]) => [column, digestOf(value)]))
}

/**
 * Plans the update of a row that has changed at the source. A column is written if it has changed at the source, and
 * this gateway's value is still the imported one. A value that was changed in this gateway is kept. If `mayWrite` is
 * false, nothing is written. If `states` is null, it is unknown which side changed a column, so this gateway's values
 * are kept.
 */
export function planRow(
  kind: ImportKind,
  { row, present, states }: { row: MappedRow; present: Values; states: StoredStates },
  { secrets, mayWrite }: { secrets: Pick<Secrets, 'open'>; mayWrite: boolean },
): RowPlan {
  const before = parseStates(states)
  const decrypted = decrypterOf(kind, secrets)
  const plan = newPlan(before)
  for (const [column, source] of sourceValues(kind, row)) {
    const target = column === WHOLE ? wholeText(Object.keys(row.fields), present) : decrypted(column, present[column])
    const lastState = stateOf(before, column)
    const { isWritten, isConflict, state } = compare(lastState, { source, target }, mayWrite)
    if (isWritten) plan.write.push(...(column === WHOLE ? updatedColumns(kind, row) : [column]))
    if (isConflict) plan.conflicts.push(conflictText(column, { lastState, source, target, mayWrite }))
    plan.states[column] = state
  }
  // Changes of these values are only reported.
  for (const [name, value] of listedValues(kind, row)) {
    const source = digestOf(value)
    plan.states[name] = source
    const { what = name, before: assumed } = kind.listed?.[name] ?? {}
    const lastRead = stateOf(before, name)?.read ?? (assumed === undefined ? source : digestOf(assumed))
    if (lastRead !== source) plan.conflicts.push(what)
  }
  return plan
}

interface LastState {
  read: string
  written: string | null
}

/** Decides whether to write one value. If `lastState` is undefined, it is unknown which side changed the value. */
function compare(
  lastState: LastState | undefined,
  values: { source: unknown; target: unknown },
  mayWrite: boolean,
): { isWritten: boolean; isConflict: boolean; state: ColumnState } {
  const [source, target] = [digestOf(values.source), digestOf(values.target)]
  const { read, written } = lastState ?? { read: undefined, written: target === source ? source : null }
  const isChanged = read !== source && target !== source
  const isWritten = isChanged && mayWrite && target === written
  const lastWritten = isWritten ? source : written
  return {
    isWritten,
    isConflict: isChanged && !isWritten,
    state: lastWritten === source ? source : [source, lastWritten],
  }
}

/** Amounts of a row's limits by measure and period, such as `requests minute`. null means no limit. */
export type LimitAmounts = Readonly<Record<string, number | null>>

const LIMIT = 'limit '
const NO_LIMIT: LastState = { read: digestOf(null), written: digestOf(null) }

/**
 * Plans the update of a row's limits by the rules of `planRow`. `write` contains names of limits. If `states` is not
 * null and lacks a limit, this limit did not exist at the source at the last import.
 */
export function planLimits(states: StoredStates, source: LimitAmounts, present: LimitAmounts): RowPlan {
  const before = parseStates(states)
  const plan = newPlan(before)
  for (const [name, amount] of Object.entries(source)) {
    const lastState = stateOf(before, LIMIT + name) ?? (states === null ? undefined : NO_LIMIT)
    const target = present[name] ?? null
    const { isWritten, isConflict, state } = compare(lastState, { source: amount, target }, true)
    if (isWritten) plan.write.push(name)
    if (isConflict)
      plan.conflicts.push(conflictText(LIMIT + name, { lastState, source: amount, target, mayWrite: true }))
    if (state === NO_LIMIT.read) delete plan.states[LIMIT + name]
    else plan.states[LIMIT + name] = state
  }
  return plan
}

/** An undo's plan for a row that the import changed. */
interface RestorePlan {
  /** Columns or limits to restore. */
  restore: string[]
  /** Report texts of values that are kept, because they have or may have changed after the import. */
  kept: string[]
}

/** Plans which columns an undo restores. A column that was changed after the import is kept. */
export function planRestore(
  kind: ImportKind,
  { before, present, states }: { before: Values; present: Values; states: StoredStates },
  secrets: Pick<Secrets, 'open'>,
): RestorePlan {
  const columns = Object.keys(before)
  if (kind.updated === 'all') {
    const { restore, kept } = compareWritten(states, [[WHOLE, wholeText(columns, before), wholeText(columns, present)]])
    return { restore: restore.length > 0 ? columns : [], kept }
  }
  const decrypted = decrypterOf(kind, secrets)
  return compareWritten(
    states,
    columns.map((column) => [column, decrypted(column, before[column]), decrypted(column, present[column])]),
  )
}

/** Plans which limits an undo restores, by the rules of `planRestore`. */
export function planLimitsRestore(states: StoredStates, before: LimitAmounts, present: LimitAmounts): RestorePlan {
  const names = Object.keys(before)
  const { restore, kept } = compareWritten(
    states,
    names.map((name) => [LIMIT + name, before[name], present[name] ?? null]),
    NO_LIMIT,
  )
  return { restore: restore.map((name) => name.slice(LIMIT.length)), kept }
}

function compareWritten(
  states: StoredStates,
  values: readonly (readonly [name: string, before: unknown, target: unknown])[],
  fallback?: LastState,
): RestorePlan {
  const after = parseStates(states)
  const plan: RestorePlan = { restore: [], kept: [] }
  for (const [name, before, target] of values) {
    if (digestOf(before) === digestOf(target)) continue
    const { written } = stateOf(after, name) ?? fallback ?? { written: null }
    if (written === digestOf(target)) plan.restore.push(name)
    else plan.kept.push(keptText(name, target))
  }
  return plan
}

/** Returns whether the row was missing at the source at the last import. */
export const wasGone = (states: StoredStates): boolean =>
  states?.includes(GONE) === true && stateOf(parseStates(states), 'status')?.read === GONE

/**
 * Plans the status of a row that was deleted at the source. `isKnown`: an earlier import has recorded the deletion.
 * `isOurs`: an import wrote the current status, or no state of it is stored. `after` returns the states to store with
 * a new status. `kept`: the states to store if the status is kept.
 */
export function planGone(
  states: StoredStates,
  status: number,
): { isKnown: boolean; isOurs: boolean; after: (written: number) => ColumnStates; kept: ColumnStates } {
  const before = parseStates(states)
  const lastState = stateOf(before, 'status')
  const written = lastState?.written ?? null
  return {
    isKnown: lastState?.read === GONE,
    isOurs: lastState === undefined || written === digestOf(status),
    after: (value) => ({ ...before, status: [GONE, digestOf(value)] }),
    kept: { ...before, status: [GONE, written] },
  }
}

function parseStates(states: StoredStates): ColumnStates {
  return states === null ? {} : fromJson(states)
}

function stateOf(states: ColumnStates, column: string): LastState | undefined {
  const state = Object.hasOwn(states, column) ? states[column] : undefined
  if (state === undefined) return undefined
  return typeof state === 'string' ? { read: state, written: state } : { read: state[0], written: state[1] }
}

function sourceValues(kind: ImportKind, row: MappedRow): Map<string, unknown> {
  if (kind.updated === 'all') return new Map([[WHOLE, wholeText(Object.keys(row.fields), row.fields)]])
  return new Map(
    kind.updated.map((column) => {
      return [column, kind.encrypted?.includes(column) ? (row.secrets[column] ?? '') : row.fields[column]]
    }),
  )
}

function listedValues({ listed = {} }: ImportKind, { fields, secrets }: MappedRow): [string, unknown][] {
  return Object.keys(listed).map((name) => [name, secrets[name] ?? fields[name] ?? ''])
}

/** Returns a function that returns a stored value, decrypted if the kind stores the column encrypted. */
const decrypterOf =
  ({ encrypted }: ImportKind, secrets: Pick<Secrets, 'open'>) =>
  (column: string, value: unknown): unknown =>
    encrypted?.includes(column) ? secrets.open(String(value ?? '')) : value

const wholeText = (columns: readonly string[], values: Values): string =>
  JSON.stringify(columns.map((column) => comparableText(values[column])))

function digestOf(value: unknown): string {
  return createHash('sha256')
    .update(JSON.stringify(comparableText(value)))
    .digest('hex')
    .slice(0, DIGEST_LENGTH)
}

/** Returns the value as comparable text. Booleans become numbers, because SQLite returns them as numbers. */
function comparableText(value: unknown): string | null {
  if (value === null || value === undefined) return null
  return String(typeof value === 'boolean' ? Number(value) : value)
}

function conflictText(
  column: string,
  {
    lastState,
    source,
    target,
    mayWrite,
  }: { lastState: object | undefined; source: unknown; target: unknown; mayWrite: boolean },
): string {
  if (column === WHOLE) return 'it was changed at the source and here: the row here is kept'
  const both = isReported(column)
    ? `${labelOf(column)} is ${displayText(source)} at the source and ${displayText(target)} here`
    : `${column} is not the same at the source and here`
  if (!mayWrite) return `${both}: imports no longer change this row, the value here is kept`
  return lastState
    ? `${both}, since it was changed on both sides: the value here is kept`
    : `${both}, and it is not known which side changed it: the value here is kept`
}

function keptText(column: string, target: unknown): string {
  if (column === WHOLE) return 'it was changed here since the import: it is kept'
  return isReported(column)
    ? `${labelOf(column)} is ${displayText(target)} here, since it was changed after the import: it is kept`
    : `${column} was changed here after the import: it is kept`
}

const isReported = (column: string): boolean => REPORTED_COLUMNS.has(column) || column.startsWith(LIMIT)

function labelOf(column: string): string {
  if (!column.startsWith(LIMIT)) return column
  const [, measure, period] = column.split(' ')
  return period === 'none' ? `the limit of ${measure} requests` : `the limit of ${measure} per ${period}`
}

const displayText = (value: unknown): string => {
  const text = comparableText(value)
  return text === null ? 'not set' : typeof value === 'string' ? JSON.stringify(text) : text
}

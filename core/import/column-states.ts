import { createHash } from 'node:crypto'
import type { Secrets } from '../secrets.ts'
import type { Kind } from './kinds.ts'
import type { MappedRow } from './mappers/mapper.ts'

/**
 * Digests of a column's value: the last one read at the source, and the last one that an import wrote here (null if that is not
 * known). One text stands for two equal ones.
 */
type ColumnState = string | readonly [read: string, written: string | null]
export type ColumnStates = Readonly<Record<string, ColumnState>>

/** The key of the state of a row that is compared as a whole. */
const WHOLE = '*'
/** Stands for the status of a row that was deleted at the source. */
const GONE = 'gone'
const DIGEST_LENGTH = 12
/** Columns whose values may be shown in a report. */
const SHOWN = new Set(['status', 'group', 'deleted_at', 'expired_time', 'name', 'display_name', 'priority', 'weight'])

/** What a later import does with a known row. */
export interface RowPlan {
  /** Columns to write. */
  write: string[]
  /** For the report: changes at the source that are not written, since the value here was changed too. */
  conflicts: string[]
  states: ColumnStates
}

/** Returns the columns that an update of the row may write. */
export function updatedColumns({ updated }: Kind, row: MappedRow): readonly string[] {
  return updated === 'all' ? Object.keys(row.fields) : updated
}

/** Returns the states of a row that is written with the source's values. */
export function firstStates(kind: Kind, row: MappedRow): ColumnStates {
  const values = [...sourceValues(kind, row), ...listedValues(kind, row)]
  return Object.fromEntries(values.map(([column, value]) => [column, digestOf(value)]))
}

/**
 * Compares a row that has changed at the source with the row here. A column is written if it has changed at the source and has
 * here the value that an import wrote last. A value that was changed here is a decision of this gateway's operators, and stays.
 * `mayWrite` false: nothing is written. `states` null: it is not known which side changed a column, so each difference stays.
 */
export function planRow(
  kind: Kind,
  { row, present, states }: { row: MappedRow; present: Readonly<Record<string, unknown>>; states: string | null },
  { secrets, mayWrite }: { secrets: Pick<Secrets, 'open'>; mayWrite: boolean },
): RowPlan {
  const before = parseStates(states)
  const here = presentValues(kind, row, present, secrets)
  const plan = { write: [] as string[], conflicts: [] as string[], states: {} as Record<string, ColumnState> }
  for (const [column, value] of sourceValues(kind, row)) {
    const source = digestOf(value)
    const target = digestOf(here.get(column))
    const known = stateOf(before, column)
    const { read, written } = known ?? { read: undefined, written: target === source ? source : null }
    const isChanged = read !== source && target !== source
    const isWritten = isChanged && mayWrite && target === written
    if (isWritten) plan.write.push(...(column === WHOLE ? updatedColumns(kind, row) : [column]))
    else if (isChanged) plan.conflicts.push(conflictText(column, { known, source: value, here: here.get(column) }))
    const now = isWritten ? source : written
    plan.states[column] = now === source ? source : [source, now]
  }
  for (const [name, value] of listedValues(kind, row)) {
    const source = digestOf(value)
    plan.states[name] = source
    if ((stateOf(before, name)?.read ?? digestOf('')) !== source) plan.conflicts.push(kind.listed?.[name] ?? name)
  }
  return plan
}

/** Returns the states of a row that was deleted at the source, and whether its status here is the one that an import wrote. */
export function planGone(
  states: string | null,
  status: number,
): { isKnown: boolean; isOurs: boolean; after: (written: number) => ColumnStates; kept: ColumnStates } {
  const before = parseStates(states)
  const known = stateOf(before, 'status')
  const written = known?.written ?? null
  return {
    isKnown: known?.read === digestOf(GONE),
    isOurs: known === undefined || written === digestOf(status),
    after: (value) => ({ ...before, status: [digestOf(GONE), digestOf(value)] }),
    kept: { ...before, status: [digestOf(GONE), written] },
  }
}

function parseStates(states: string | null): ColumnStates {
  return states === null ? {} : (JSON.parse(states) as ColumnStates)
}

function stateOf(states: ColumnStates, column: string): { read: string; written: string | null } | undefined {
  if (!Object.hasOwn(states, column)) return undefined
  const state = states[column] as ColumnState
  return typeof state === 'string' ? { read: state, written: state } : { read: state[0], written: state[1] }
}

function sourceValues(kind: Kind, row: MappedRow): Map<string, unknown> {
  if (kind.updated === 'all') return new Map([[WHOLE, wholeText(row, row.fields)]])
  return new Map(
    kind.updated.map((column) => {
      return [column, kind.encrypted?.includes(column) ? (row.secrets[column] ?? '') : row.fields[column]]
    }),
  )
}

function listedValues({ listed = {} }: Kind, { secrets }: MappedRow): [string, string][] {
  return Object.keys(listed).map((name) => [name, secrets[name] ?? ''])
}

function presentValues(
  kind: Kind,
  row: MappedRow,
  present: Readonly<Record<string, unknown>>,
  secrets: Pick<Secrets, 'open'>,
): Map<string, unknown> {
  if (kind.updated === 'all') return new Map([[WHOLE, wholeText(row, present)]])
  return new Map(
    kind.updated.map((column) => {
      return [column, kind.encrypted?.includes(column) ? secrets.open(String(present[column] ?? '')) : present[column]]
    }),
  )
}

const wholeText = ({ fields }: MappedRow, values: Readonly<Record<string, unknown>>): string =>
  JSON.stringify(Object.keys(fields).map((column) => plain(values[column])))

const digestOf = (value: unknown): string =>
  createHash('sha256')
    .update(JSON.stringify(plain(value)))
    .digest('hex')
    .slice(0, DIGEST_LENGTH)

/** SQLite returns booleans as numbers. */
function plain(value: unknown): string | null {
  if (value === null || value === undefined) return null
  return String(typeof value === 'boolean' ? Number(value) : value)
}

function conflictText(
  column: string,
  { known, source, here }: { known: object | undefined; source: unknown; here: unknown },
): string {
  if (column === WHOLE) return 'it was changed at the source and here: it is kept'
  const both = SHOWN.has(column)
    ? `${column} is ${shown(source)} at the source and ${shown(here)} here`
    : `${column} is not the same at the source and here`
  return known
    ? `${both}, since it was changed on both sides: it is kept`
    : `${both}, and it is not known which side changed it: it is kept`
}

const shown = (value: unknown): string => {
  const text = plain(value)
  return text === null ? 'not set' : typeof value === 'string' ? JSON.stringify(text) : text
}

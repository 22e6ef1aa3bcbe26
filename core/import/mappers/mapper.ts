import { createHash } from 'node:crypto'
import type { Product } from '../report.ts'
import { type Values, valuesOf } from '../values.ts'

/** What mappers know besides their row. Nothing of it is a connection: a mapper is a function of values. */
export interface MapContext {
  product: Product
  /** The id that a row of the source has here; undefined if it was not imported. */
  target(kind: RowKind, id: number): number | undefined
  /** What a name of the source is called here. */
  usernameOf(id: number): string | undefined
  /** Quota of the source worth one dollar. */
  quotaPerUnit: number
}

export type RowKind = 'users' | 'tokens' | 'channels' | 'redemptions' | 'top_ups' | 'midjourneys' | 'tasks'

/** A row as it is to be. `quota` and `used` move by the ledger, or by its rules; the other fields are written as they are. */
export interface MappedRow {
  id: number
  fields: Record<string, string | number | boolean | null>
  quota: number
  used: number
  /** What is compared with the next import: fields that are made from secrets are left out of `fields` until they are written. */
  digest: string
  /** Secrets in clear text, to be sealed. */
  secrets: Record<string, string>
}

export interface Mapping {
  mapped?: MappedRow
  /** Why the row is not imported. */
  skip?: string
  changes: string[]
}

export type MapRow = (row: Readonly<Record<string, unknown>>, context: MapContext) => Mapping

/** Columns that requests and tests change by themselves: they do not make a row another one. */
const PASSING = new Set([
  ...['request_count', 'accessed_time', 'aff_count', 'aff_quota', 'aff_history'],
  ...['test_time', 'response_time', 'balance', 'balance_updated_time', 'other_info'],
])

/** Runs a mapper over one row and collects what it reports. A mapper returns a text to skip the row. */
export function mapWith(
  row: Readonly<Record<string, unknown>>,
  map: (
    values: Values,
    change: (what: string) => void,
  ) => string | (Omit<MappedRow, 'id' | 'digest' | 'secrets'> & { secrets?: Record<string, string> }),
): Mapping {
  const changes: string[] = []
  const change = (what: string) => void changes.push(what)
  const values = valuesOf(row, change)
  const id = values.integer('id', { min: 1, max: 2 ** 53 - 1 })
  if (id < 1) return { skip: 'it has no id', changes }
  const result = map(values, change)
  if (typeof result === 'string') return { skip: result, changes }
  const { fields, quota, used, secrets = {} } = result
  const compared = Object.entries(fields).filter(([column]) => !PASSING.has(column))
  const digest = createHash('sha256')
    .update(JSON.stringify([compared, secrets]))
    .digest('hex')
    .slice(0, 16)
  return { mapped: { id, fields, quota, used, secrets, digest }, changes }
}

/** The text of a JSON object, or an empty text. */
export function jsonObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined
  } catch {
    return undefined
  }
}

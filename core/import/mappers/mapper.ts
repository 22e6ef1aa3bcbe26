import { createHash } from 'node:crypto'
import type { Product } from '../report.ts'
import { type RowValues, rowValuesOf } from '../values.ts'

/** The data that mappers need besides a row. Mappers are pure functions, so it has no database connection. */
export interface MapContext {
  product: Product
  /** Returns the target id of a source row, or undefined if the row was not imported. */
  target(kind: RowKind, id: number): number | undefined
  /** Returns the target name of a source user. */
  usernameOf(id: number): string | undefined
  /** Quota per dollar at the source. */
  quotaPerUnit: number
}

export const ROW_KINDS = ['users', 'channels', 'tokens', 'redemptions', 'top_ups', 'midjourneys', 'tasks'] as const
export type RowKind = (typeof ROW_KINDS)[number]

/** A mapped row. Changes of `quota` and `used` go through the ledger. Other fields are written directly. */
export interface MappedRow {
  id: number
  fields: Record<string, string | number | boolean | null>
  quota: number
  used: number
  /** Digest to compare with the next import. It includes the secrets, which are not in `fields`. */
  digest: string
  /** Secrets in clear text, to be encrypted. */
  secrets: Record<string, string>
}

export interface Mapping {
  mapped?: MappedRow
  /** Reason for skipping the row. */
  skip?: string
  changes: string[]
}

export type MapRow = (row: Readonly<Record<string, unknown>>, context: MapContext) => Mapping

/** Columns that the source updates by itself. Their changes do not count as changes of the row. */
const VOLATILE = new Set([
  ...['request_count', 'accessed_time', 'aff_count', 'aff_quota', 'aff_history'],
  ...['test_time', 'response_time', 'balance', 'balance_updated_time', 'other_info'],
])

/** Runs a mapper on one row and collects the changes that it reports. A returned text is a reason to skip the row. */
export function mapWith(
  row: Readonly<Record<string, unknown>>,
  map: (
    values: RowValues,
    change: (what: string) => void,
  ) => string | (Omit<MappedRow, 'id' | 'digest' | 'secrets'> & { secrets?: Record<string, string> }),
): Mapping {
  const changes: string[] = []
  const change = (what: string) => void changes.push(what)
  const values = rowValuesOf(row, change)
  // Reject ids out of range. `integer` would limit them to the range, where they could equal the id of another row.
  const id = Number(values.raw('id') ?? 0)
  if (!Number.isSafeInteger(id) || id < 1) return { skip: 'its id is not a number from 1 to 9007199254740991', changes }
  const result = map(values, change)
  if (typeof result === 'string') return { skip: result, changes }
  const { fields, quota, used, secrets = {} } = result
  const compared = Object.entries(fields).filter(([column]) => !VOLATILE.has(column))
  const digest = createHash('sha256')
    .update(JSON.stringify([compared, secrets]))
    .digest('hex')
    .slice(0, 16)
  return { mapped: { id, fields, quota, used, secrets, digest }, changes }
}

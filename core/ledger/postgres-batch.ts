import type { PreparedStatement } from '../db/database.ts'
import { type Settlement, sumSettlements, toLogRow } from './batch.ts'
import { addToHours, HOURS, type HoursTable, hoursOf, SUMS } from './hours.ts'
import { SETTLED_COLUMNS, type SettlementContext } from './settlement.ts'

/**
 * On PostgreSQL, one prepared statement writes a batch of settlements. The statement needs one round trip and one plan
 * for batches of any size. Without it, eight statements would be built, sent and planned for each batch. The prepared
 * statement handles only the usual case. It fails as a whole if the epoch has ended, a request id is a duplicate, or a
 * reserve is too small. `writeSettlements` then handles the batch.
 *
 * The parts of a WITH run in no defined order
 * (https://www.postgresql.org/docs/current/queries-with.html#QUERIES-WITH-MODIFYING). Each part therefore counts the
 * rows that the previous part changed. This forces an order, so that all transactions lock in the same order.
 */

const LOG_COLUMNS = {
  user_id: 'integer',
  created_at: 'bigint',
  type: 'integer',
  content: 'text',
  username: 'text',
  token_name: 'text',
  model_name: 'text',
  quota: 'bigint',
  prompt_tokens: 'integer',
  completion_tokens: 'integer',
  use_time: 'integer',
  is_stream: 'boolean',
  channel_id: 'integer',
  token_id: 'integer',
  group: 'text',
  other: 'text',
  request_id: 'text',
} as const
const TOTALS = { id: 'bigint', quota: 'bigint', count: 'bigint', shrink: 'bigint' } as const
const HOLD_COLUMNS = { account: 'text', id: 'bigint', quota: 'bigint' } as const
const PARTIAL_HOURS = { created_at: 'bigint' } as const
const HOUR_COLUMNS = { quota_data: { ...HOURS.quota_data, ...SUMS }, model_hours: { ...HOURS.model_hours, ...SUMS } }

type Columns = Readonly<Record<string, string>>

/** Returns the prepared statement for a batch. All charges of the batch must get log rows and have no task. */
export function settlementStatement(
  settlements: readonly Settlement[],
  { nodeId, now, isCounted }: Pick<SettlementContext, 'nodeId' | 'now' | 'isCounted'>,
): PreparedStatement {
  const batch = sumSettlements(settlements, new Set([nodeId]))
  const rows = settlements.map(({ charge, at }) => toLogRow(charge, at))
  const hours = isCounted
    ? [...arraysOf(HOUR_COLUMNS.quota_data, batch.userHours), ...arraysOf(HOUR_COLUMNS.model_hours, batch.modelHours)]
    : [hoursOf(batch.userHours)]
  return {
    ...(isCounted ? COUNTED : UNCOUNTED),
    values: [
      nodeId,
      now,
      ...arraysOf(LOG_COLUMNS, rows),
      ...arraysOf(TOTALS, batch.users),
      ...arraysOf(TOTALS, batch.tokens),
      ...arraysOf(HOLD_COLUMNS, batch.holds),
      ...arraysOf(TOTALS, batch.channels),
      ...hours,
    ],
  }
}

/** Returns the rows as one array per column. */
function arraysOf<Column extends string>(
  columns: Readonly<Record<Column, string>>,
  rows: readonly Readonly<Record<NoInfer<Column>, unknown>>[],
): unknown[][] {
  const arrays: unknown[][] = []
  for (const column in columns) arrays.push(rows.map((row) => row[column]))
  return arrays
}

function settleSql(counted: boolean): string {
  let parameters = 2
  /** Returns SQL that reads the next parameters as rows of these columns. */
  const rowsOf = (columns: Columns): string => {
    const arrays = Object.values(columns).map((type) => `$${++parameters}::${type}[]`)
    return `unnest(${arrays}) AS delta(${namesOf(columns)})`
  }
  const additions = (table: keyof typeof SETTLED_COLUMNS, after: string, extraAssignment = ''): string => {
    const set = SETTLED_COLUMNS[table].map(([column, sign, of]) => `${column} = ${table}.${column} ${sign} delta.${of}`)
    const rows = rowsOf(TOTALS)
    const ids = `$${parameters - Object.keys(TOTALS).length + 1}::bigint[]`
    return `locked_${table} AS MATERIALIZED (SELECT id FROM ${table}
        WHERE id = ANY(${ids}) AND ${hasRun(after)} ORDER BY id FOR NO KEY UPDATE),
      changed_${table} AS (UPDATE ${table} SET ${[...set, extraAssignment].filter(Boolean)} FROM ${rows}
        WHERE ${table}.id = delta.id AND ${hasRun(`locked_${table}`)} RETURNING 1)`
  }
  const parts = [
    // Lock the epoch, so that it cannot end before the transaction.
    'node AS MATERIALIZED (SELECT id FROM nodes WHERE id = $1 FOR KEY SHARE)',
    `added AS (INSERT INTO logs (${namesOf(LOG_COLUMNS)})
      SELECT * FROM ${rowsOf(LOG_COLUMNS)} WHERE ${requires('(SELECT count(*) FROM node) = 1')} RETURNING 1)`,
    additions('users', 'added'),
    additions('tokens', 'changed_users', 'accessed_time = $2::bigint'),
    `shrunk AS (UPDATE holds SET quota = holds.quota - delta.quota FROM ${rowsOf(HOLD_COLUMNS)}
      WHERE holds.node_id = $1 AND holds.account = delta.account AND holds.account_id = delta.id
        AND ${hasRun('changed_tokens')} RETURNING 1)`,
  ]
  const holdsExpected = `cardinality($${parameters}::bigint[])`
  parts.push(additions('channels', 'shrunk'))
  if (counted) {
    parts.push(hoursSql('quota_data', rowsOf(HOUR_COLUMNS.quota_data), 'changed_channels'))
    parts.push(hoursSql('model_hours', rowsOf(HOUR_COLUMNS.model_hours), 'inserted_quota_data'))
  } else {
    parts.push(`noted AS (INSERT INTO partial_hours (created_at) SELECT * FROM ${rowsOf(PARTIAL_HOURS)}
      WHERE ${hasRun('changed_channels')} ON CONFLICT DO NOTHING)`)
  }
  return `WITH ${parts.join(',\n')}
    SELECT 1 WHERE ${requires(`(SELECT count(*) FROM shrunk) = ${holdsExpected}`)}`
}

/**
 * Returns SQL that adds the batch's sums per hour to a table of the dashboard. Like `addHours`, updates existing rows
 * first, so that they use up no ids of the sequence.
 */
function hoursSql(table: HoursTable, rows: string, after: string): string {
  const columns = HOUR_COLUMNS[table]
  const keys = Object.keys(HOURS[table])
  const same = (left: string, right: string) => keys.map((key) => `${left}.${key} = ${right}.${key}`).join(' AND ')
  return `${table}_delta AS MATERIALIZED (SELECT * FROM ${rows}),
    updated_${table} AS (UPDATE ${table} SET ${Object.keys(SUMS).map((sum) => `${sum} = ${table}.${sum} + delta.${sum}`)}
      FROM ${table}_delta AS delta WHERE ${same(table, 'delta')} AND ${hasRun(after)}
      RETURNING ${keys.map((key) => `${table}.${key}`)}),
    inserted_${table} AS (INSERT INTO ${table} (${namesOf(columns)})
      SELECT * FROM ${table}_delta AS delta
      WHERE NOT EXISTS (SELECT 1 FROM updated_${table} AS updated WHERE ${same('updated', 'delta')})
      ${addToHours(table)} RETURNING 1)`
}

const namesOf = (columns: Columns): string[] => Object.keys(columns).map((column) => `"${column}"`)

/** Returns a condition that is always true, but makes PostgreSQL finish another part of the statement first. */
const hasRun = (part: string): string => `(SELECT count(*) FROM ${part}) >= 0`

/** Returns SQL that is true if the condition holds. Otherwise a division by zero makes the statement fail. */
const requires = (condition: string): string => `1 / (CASE WHEN ${condition} THEN 1 ELSE 0 END) = 1`

const COUNTED = { name: 'tollgate-settle-counted', text: settleSql(true) }
const UNCOUNTED = { name: 'tollgate-settle', text: settleSql(false) }

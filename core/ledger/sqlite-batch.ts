import { UNCHARGED } from '../batches/rows.ts'
import {
  type HoldShrink,
  type RowTotals,
  type Settlement,
  type SettlementRow,
  sumSettlements,
  toLogRow,
  toTaskRow,
} from './batch.ts'
import type { NewTask } from './charge.ts'
import { hoursConflictClause, hoursOf } from './hours.ts'
import { addToSql, SETTLED_COLUMNS, type SettlementContext, shrinkSql } from './settlement.ts'

/**
 * Returns one SQL script that writes a batch of settlements on SQLite. All charges must get log rows. The driver runs a
 * script in one call. With bound parameters and one call per statement, the driver takes longer than SQLite itself
 * (measured: 600 µs for the parameters of 32 rows, 400 µs for the whole script).
 *
 * The script handles only the usual case. A statement fails if this process was declared dead, or if a request id or a
 * task is a duplicate. The whole script is then rolled back, and `writeSettlements` handles the batch.
 */
export function settlementScript(
  settlements: readonly Settlement[],
  context: Pick<SettlementContext, 'nodeId' | 'now' | 'isCounted'>,
): string {
  const { nodeId, now, isCounted } = context
  const { users, tokens, channels, holds, userHours, modelHours } = sumSettlements(settlements, new Set([nodeId]))
  const statements = [
    // json() fails for text that is not JSON. This makes the script fail.
    `SELECT iif(EXISTS (SELECT 1 FROM nodes WHERE id = ${literal(nodeId)}), 1, json('declared dead'))`,
    insert(
      'logs',
      settlements.map(({ charge, at }) => toLogRow(charge, at)),
    ),
    ...additionStatements('users', users),
    ...additionStatements('tokens', tokens, `accessed_time = ${now}`),
    ...additionStatements('channels', channels),
    ...shrinkStatements(holds),
  ]
  for (const { charge } of settlements) if (charge.task) statements.push(...taskStatements(charge.task))
  if (isCounted) {
    statements.push(`${insert('quota_data', userHours)} ${hoursConflictClause('quota_data')}`)
    statements.push(`${insert('model_hours', modelHours)} ${hoursConflictClause('model_hours')}`)
  } else {
    const hours = hoursOf(userHours).map((hour) => `(${hour})`)
    statements.push(`INSERT INTO partial_hours (created_at) VALUES ${hours.join(', ')} ON CONFLICT DO NOTHING`)
  }
  return statements.join(';\n')
}

/** Replaces the row of a batch that was stored before its submission, like `insertTask`. */
function taskStatements(task: NewTask): string[] {
  const row = toTaskRow(task)
  const inserted = insert(task.table, [row])
  if (task.table !== 'batches') return [inserted]
  const { user_id = 0, request_id = '' } = row
  const where = `user_id = ${literal(user_id)} AND request_id = ${literal(request_id)}`
  return [`DELETE FROM batches WHERE ${where} AND ${UNCHARGED}`, inserted]
}

/** Up to this number of rows, single UPDATEs are faster than one that joins a list (for one row: 25 and 50 µs). */
const SINGLE_MAX = 8

function additionStatements(
  table: keyof typeof SETTLED_COLUMNS,
  totals: readonly RowTotals[],
  extraAssignment = '',
): string[] {
  if (totals.length > SINGLE_MAX) {
    return [
      addToSql(
        table,
        totals.map(({ id, quota, count, shrink }) => `(${id}, ${quota}, ${count}, ${shrink})`),
        extraAssignment,
      ),
    ]
  }
  return totals.map((row) => {
    const set = SETTLED_COLUMNS[table].map(([column, sign, of]) => `${column} = ${column} ${sign} ${row[of]}`)
    return `UPDATE ${table} SET ${[...set, extraAssignment].filter(Boolean).join(', ')} WHERE id = ${row.id}`
  })
}

/** Returns statements that shrink reserves. They fail if a reserve is smaller (CHECK) or missing (`changes()`). */
function shrinkStatements(holds: readonly HoldShrink[]): string[] {
  if (holds.length > SINGLE_MAX) {
    const delta = holds.map(
      ({ nodeId, account, id, quota }) => `(${literal(nodeId)}, ${literal(account)}, ${id}, ${quota})`,
    )
    return [shrinkSql(delta), requireChanges(holds.length)]
  }
  return holds.flatMap(({ nodeId, account, id, quota }) => [
    `UPDATE holds SET quota = quota - ${quota}
      WHERE node_id = ${literal(nodeId)} AND account = ${literal(account)} AND account_id = ${id}`,
    requireChanges(1),
  ])
}

const requireChanges = (rows: number): string => `SELECT iif(changes() = ${rows}, 1, json('a reserve is missing'))`

/**
 * OR ROLLBACK ends the whole transaction if a row violates a constraint. SQLite would otherwise copy each page that the
 * statement changes, to undo only this statement. The copies take a quarter of the time of a batch
 * (https://sqlite.org/tempfiles.html#stmtjrnl).
 */
function insert(table: string, rows: SettlementRow[]): string {
  const columns = Object.keys(rows[0] ?? {}).map((column) => `"${column}"`)
  // Concatenate strings. Arrays of each row's values would cost more than the rest of this function.
  let values = ''
  for (const row of rows) {
    let separator = values === '' ? '(' : ',('
    for (const column in row) {
      values += separator + literal(row[column] as string | number | boolean)
      separator = ','
    }
    values += ')'
  }
  return `INSERT OR ROLLBACK INTO ${table} (${columns.join(',')}) VALUES ${values}`
}

/**
 * Returns a value as SQL text. In a SQLite string literal only the quote is special, and is escaped by doubling
 * (https://sqlite.org/lang_expr.html#literal_values_constants_). NUL is removed, because it would end the script.
 */
function literal(value: string | number | boolean): string {
  if (typeof value === 'number') {
    if (!Number.isSafeInteger(value)) throw new Error(`${value} is not a whole number`)
    return String(value)
  }
  if (typeof value === 'boolean') return value ? '1' : '0'
  const text = value.includes("'") ? value.replaceAll("'", "''") : value
  return `'${text.includes('\0') ? text.replaceAll('\0', '') : text}'`
}

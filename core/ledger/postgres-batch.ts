import type { PreparedStatement } from '../db/database.ts'
import { errorCode } from '../error-parts.ts'
import { commaList } from '../input.ts'
import { type Settlement, type SettlementRow, sumSettlements, toLogRow } from './batch.ts'
import type { SettlementContext } from './settlement.ts'

/**
 * On PostgreSQL, the function `settle_charges` (`core/db/migrations/0120-settle-function.ts`) writes a batch of
 * settlements in one round trip. It handles only the usual case. It fails as a whole if the epoch has ended, a request
 * id is a duplicate, or a reserve is missing or too small. `writeSettlements` then handles the batch.
 */

/** The arrays that the function takes, in the order of its parameters. */
const LOG_COLUMNS = commaList(`
  user_id, created_at, type, content, username, token_name, model_name, quota, prompt_tokens, completion_tokens,
  use_time, is_stream, channel_id, token_id, group, other, request_id
`)
const USER_COLUMNS = ['id', 'quota', 'count', 'shrink'] as const
const TOKEN_COLUMNS = ['id', 'quota', 'shrink'] as const
const HOLD_COLUMNS = ['account', 'id', 'quota'] as const
const CHANNEL_COLUMNS = ['id', 'quota'] as const
const USER_HOUR_COLUMNS = ['user_id', 'created_at', 'model_name', 'username', 'count', 'quota', 'token_used']
const MODEL_HOUR_COLUMNS = ['created_at', 'model_name', 'count', 'quota', 'token_used']

const COLUMNS = [
  LOG_COLUMNS,
  USER_COLUMNS,
  TOKEN_COLUMNS,
  HOLD_COLUMNS,
  CHANNEL_COLUMNS,
  USER_HOUR_COLUMNS,
  MODEL_HOUR_COLUMNS,
].flat()

/** The first three parameters are the epoch, the time, and whether to count hours. */
const PARAMETERS = Array.from({ length: 3 + COLUMNS.length }, (_, index) => `$${index + 1}`)
const CALL = { name: 'tollgate-settle', text: `SELECT settle_charges(${PARAMETERS})` }

/** Returns the prepared statement for a batch. All charges of the batch must get log rows and have no task. */
export function settlementStatement(
  settlements: readonly Settlement[],
  { nodeId, now, isCounted }: Pick<SettlementContext, 'nodeId' | 'now' | 'isCounted'>,
): PreparedStatement {
  const { users, tokens, holds, channels, userHours, modelHours } = sumSettlements(settlements, new Set([nodeId]))
  const logs: SettlementRow[] = settlements.map(({ charge, at }) => toLogRow(charge, at))
  return {
    ...CALL,
    values: [
      nodeId,
      now,
      isCounted,
      ...arraysOf(LOG_COLUMNS, logs),
      ...arraysOf(USER_COLUMNS, users),
      ...arraysOf(TOKEN_COLUMNS, tokens),
      ...arraysOf(HOLD_COLUMNS, holds),
      ...arraysOf(CHANNEL_COLUMNS, channels),
      ...arraysOf(USER_HOUR_COLUMNS, userHours),
      ...arraysOf(MODEL_HOUR_COLUMNS, modelHours),
    ],
  }
}

/** Returns whether an error means that the function is missing, or that the database user has no right to call it. */
export function isFunctionUnusable(error: unknown): boolean {
  return ['42883', '42501'].includes(errorCode(error))
}

/** Returns the rows as one array per column. */
function arraysOf<Column extends string>(
  columns: readonly Column[],
  rows: readonly Readonly<Record<NoInfer<Column>, unknown>>[],
): unknown[][] {
  return columns.map((column) => rows.map((row) => row[column]))
}

import type { Knex } from 'knex'
import { findOption } from '../options/registry.ts'
import { openContent } from '../responses/content.ts'
import type { Secrets } from '../secrets.ts'

export type ExportedRow = Record<string, unknown>

/** An exported table, with the order of its rows and its encrypted columns. */
export interface ExportedTable {
  readonly table: string
  /** Columns that identify a row. The rows are read in this order, in batches. */
  readonly order: readonly string[]
  /** Encrypted columns. */
  readonly sealed?: readonly string[]
  /** Columns with encrypted and compressed JSON. */
  readonly packed?: readonly string[]
  /** Columns whose sums are in the manifest. */
  readonly sums?: readonly string[]
  /** Columns that are not exported, because they are derived from exported data or from the master key. */
  readonly omitted?: readonly string[]
}

const byId = (table: string, more: Partial<ExportedTable> = {}): ExportedTable => ({
  table,
  order: ['id'],
  ...more,
})

/** All tables except those of `LEFT_OUT`. */
export const EXPORTED_TABLES: readonly ExportedTable[] = [
  byId('users', {
    sealed: ['access_token'],
    sums: ['quota', 'used_quota'],
    omitted: ['access_token_hash', 'held_quota', 'name_skeleton'],
  }),
  byId('tokens', { sealed: ['key'], sums: ['remain_quota', 'used_quota'], omitted: ['key_hash', 'held_quota'] }),
  byId('teams'),
  { table: 'team_members', order: ['team_id', 'user_id'] },
  byId('team_invites', { omitted: ['code_hash'] }),
  byId('channels', { sealed: ['key'], sums: ['used_quota'] }),
  { table: 'abilities', order: ['channel_id', 'group', 'model'] },
  { table: 'options', order: ['key'] },
  byId('redemptions', { sums: ['quota'] }),
  byId('top_ups', { sums: ['quota'] }),
  byId('midjourneys', { sums: ['quota'], omitted: ['key_digest'] }),
  byId('tasks', { sums: ['quota'], omitted: ['key_digest'] }),
  byId('ledger_entries', { sums: ['quota'], omitted: ['hash'] }),
  { table: 'carried_sums', order: ['account', 'account_id'], sums: ['quota'] },
  byId('quota_data', { sums: ['quota'] }),
  byId('logs', { sums: ['quota'] }),
  byId('audit'),
  byId('management_keys', { omitted: ['key_hash'] }),
  byId('limits'),
  { table: 'limit_windows', order: ['limit_id', 'subject_id'] },
  byId('redemption_batches'),
  byId('balance_requests'),
  byId('payment_callbacks'),
  byId('batches', { sums: ['quota'], omitted: ['key_digest'] }),
  byId('upstream_files', { omitted: ['key_digest'] }),
  byId('notice_targets', { sealed: ['settings'] }),
  byId('notices'),
  byId('notice_deliveries'),
  { table: 'notice_thresholds', order: ['subject', 'subject_id'] },
  { table: 'notice_levels', order: ['subject'] },
  byId('stored_responses', { packed: ['content'], omitted: ['key_digest'] }),
  { table: 'stored_response_items', order: ['user_id', 'token_id', 'id_hash'] },
  { table: 'stored_conversations', order: ['user_id', 'token_id', 'id_hash'], packed: ['content'] },
  { table: 'stored_objects', order: ['user_id', 'kind', 'id_hash'], omitted: ['key_digest'] },
  { table: 'usage_hours', order: ['kind', 'created_at', 'name'], sums: ['quota'] },
  { table: 'model_hours', order: ['created_at', 'model_name'], sums: ['quota'] },
  byId('log_clears'),
  { table: 'log_clear_sums', order: ['clear_id', 'user_id'], sums: ['quota'] },
  { table: 'removed_tasks', order: ['reference'] },
  byId('channel_events'),
  byId('import_sources'),
  byId('imports', { omitted: ['state'] }),
  { table: 'import_rows', order: ['source_id', 'kind', 'source_row'] },
]

const RUNNING = 'state of running processes'
const EXPIRES = 'expires, and is useless in another gateway'
const KEYED = 'digests that only this master key can make'
const DERIVED = 'derived from exported rows'

/** Tables that are not exported, with the reason. */
export const LEFT_OUT: Readonly<Record<string, string>> = {
  migrations: 'versions of the schema',
  meta: 'facts of this database and its master key',
  copy_changes: 'state of an interrupted copy',
  ...{ nodes: RUNNING, holds: RUNNING, leases: RUNNING, jobs: RUNNING, changes: RUNNING, limit_shares: RUNNING },
  ...{ channel_circuits: RUNNING, learned_limits: RUNNING },
  ...{ sessions: EXPIRES, verifications: EXPIRES, realtime_keys: EXPIRES, relay_outcomes: EXPIRES },
  ...{ kept_thoughts: EXPIRES, guesses: EXPIRES },
  ...{ invite_sources: KEYED, sign_in_origins: KEYED, ledger_heads: KEYED, chain_breaks: KEYED },
  ...{ failed_relays: DERIVED, partial_hours: DERIVED },
  import_changes: 'values that only an undo in this database needs',
}

const ROWS_AT_ONCE = 5000
/** The number for tables with encrypted content, whose rows can have megabytes. */
const PACKED_ROWS_AT_ONCE = 100

/** Yields all rows of a table in batches. Decrypts encrypted columns. Without `secrets`, these columns are empty. */
export async function* readTable(
  trx: Knex,
  { table, order, sealed = [], packed = [], omitted = [] }: ExportedTable,
  secrets: Secrets | undefined,
): AsyncGenerator<ExportedRow[]> {
  const rowsMax = packed.length > 0 ? PACKED_ROWS_AT_ONCE : ROWS_AT_ONCE
  const open = (value: unknown): unknown => {
    if (value === null) return null
    return typeof value === 'string' && secrets ? secrets.open(value) : ''
  }
  const unpack = async (value: unknown): Promise<unknown> =>
    secrets && Buffer.isBuffer(value) ? openContent(secrets, value) : ''
  async function openRow(row: ExportedRow): Promise<ExportedRow> {
    for (const column of omitted) delete row[column]
    for (const column of sealed) row[column] = open(row[column])
    for (const column of packed) row[column] = await unpack(row[column])
    if (table === 'options' && findOption(String(row.key))?.secret) row.value = open(row.value)
    return row
  }
  const names = order.map(() => '??').join(', ')
  for (let after: Knex.Value[] | undefined; ; ) {
    const rows: Record<string, Knex.Value>[] = await trx(table)
      .modify((query) => {
        if (after) query.whereRaw(`(${names}) > (${after.map(() => '?').join(', ')})`, [...order, ...after])
      })
      .orderBy(order.map((column) => ({ column })))
      .limit(rowsMax)
      .select('*')
    const last = rows.at(-1)
    after = last && order.map((column) => last[column] ?? null)
    if (rows.length > 0) {
      for (const row of rows) await openRow(row)
      yield rows
    }
    if (rows.length < rowsMax) return
  }
}

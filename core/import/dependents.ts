import type { Knex } from 'knex'
import { ROLE } from '../actor.ts'
import type { RowKind } from './mappers/mapper.ts'
import { BLOCKING_REFERENCES } from './references.ts'
import { readImports, type StoredImport } from './stored-imports.ts'

/** Selects the ids of the rows that an import created. */
export const rowsCreatedBy = (trx: Knex, id: number, kind: RowKind) =>
  trx('import_rows').where({ import_id: id, kind }).select('target_row')

/** Returns whether the import created the only root user of this gateway. */
export async function createdOnlyRoot(trx: Knex, id: number): Promise<boolean> {
  const roots = () => trx('users').where({ role: ROLE.root }).whereNull('deleted_at')
  const users = rowsCreatedBy(trx, id, 'users')
  if ((await roots().whereIn('id', users).first('id')) === undefined) return false
  return (await roots().whereNotIn('id', users).first('id')) === undefined
}

/**
 * Returns the reason why the import cannot be undone: a later import, rows that depend on it, or the only root user.
 * Returns undefined if the import can be undone.
 */
export async function findDependents(
  trx: Knex.Transaction,
  { id, sourceId }: StoredImport,
): Promise<string | undefined> {
  const later = (await readImports(trx)).find(
    (other) => other.sourceId === sourceId && other.id > id && other.status !== 'undone',
  )
  if (later) return `import ${later.id} of the same source came after it: undo that one first`
  for (const [reason, query] of checksOf(trx, id)) {
    const count = Number((await query.clone().count({ n: '*' }).first())?.n ?? 0)
    if (count > 0) return `${reason} (${count})`
  }
  if (!(await createdOnlyRoot(trx, id))) return undefined
  return (
    'it created the only root user of this gateway. ' +
    'To start over, delete the database (with SQLite its file) and import into a new one'
  )
}

function checksOf(trx: Knex.Transaction, id: number): readonly (readonly [string, Knex.QueryBuilder])[] {
  const users = rowsCreatedBy(trx, id, 'users')
  const tokens = rowsCreatedBy(trx, id, 'tokens')
  const channels = rowsCreatedBy(trx, id, 'channels')
  const since = (table: RowKind, column: string, ids: Knex.QueryBuilder) =>
    trx(table)
      .whereIn(column, ids)
      .whereNotIn('id', rowsCreatedBy(trx, id, table))
  return [
    ['charges of its users are in the log', trx('logs').whereIn('user_id', users).whereNotNull('request_id')],
    [
      'charges over its channels are in the log',
      trx('logs').whereIn('channel_id', channels).whereNotNull('request_id'),
    ],
    ['charges of its keys are in the log', trx('logs').whereIn('token_id', tokens).whereNotNull('request_id')],
    ['charges of its users were in the log, which was cleared since', clearedCharges(trx, id, 'users')],
    ['charges of its keys were in the log, which was cleared since', clearedCharges(trx, id, 'tokens')],
    ['its users have made API keys since', since('tokens', 'user_id', users)],
    ['its users have management keys', trx('management_keys').whereIn('user_id', users).where({ revoked_at: 0 })],
    ['its users are in teams', trx('team_members').whereIn('user_id', users)],
    // Ignore entries of the kind `opening`. Only imports and undos write them, and a later import was excluded above.
    [
      'balances of its users have changed since',
      trx('ledger_entries').whereIn('user_id', users).whereNot({ kind: 'opening' }),
    ],
    ['relays of its users are running', trx('holds').where({ account: 'user' }).whereIn('account_id', users)],
    ['relays of its keys are running', trx('holds').where({ account: 'token' }).whereIn('account_id', tokens)],
    ['its users have orders since', since('top_ups', 'user_id', users)],
    ...(['tasks', 'midjourneys'] as const).flatMap((table) => [
      ['its users have tasks since', since(table, 'user_id', users)] as const,
      ['its keys have tasks since', since(table, 'token_id', tokens)] as const,
      ['its channels have tasks since', since(table, 'channel_id', channels)] as const,
    ]),
    ...BLOCKING_REFERENCES.users.map(
      ([table, column]) => ['its users have stored objects', trx(table).whereIn(column, users)] as const,
    ),
    ...BLOCKING_REFERENCES.tokens.map(
      ([table, column]) => ['its keys have stored objects', trx(table).whereIn(column, tokens)] as const,
    ),
    ...BLOCKING_REFERENCES.channels.map(
      ([table, column]) => ['its channels have stored objects', trx(table).whereIn(column, channels)] as const,
    ),
    [
      'its codes were redeemed since',
      trx('ledger_entries')
        .where({ kind: 'redemption' })
        .whereIn(
          'reference',
          rowsCreatedBy(trx, id, 'redemptions').clearSelect().select(trx.raw(`'code-' || target_row`)),
        ),
    ],
    ['users were invited by its users since', since('users', 'inviter_id', users)],
  ]
}

/**
 * Selects imported accounts with charges in this gateway whose log rows were cleared. Clearing adds the quota of the
 * rows to `carried_sums`, which then differs from the usage at the source.
 */
const clearedCharges = (trx: Knex, id: number, kind: 'users' | 'tokens') =>
  trx('import_rows')
    .where({ import_id: id, kind })
    .join('carried_sums', (join) =>
      join
        .on('carried_sums.account_id', 'import_rows.target_row')
        .andOn(trx.raw('carried_sums.account = ?', [kind === 'users' ? 'user' : 'token'])),
    )
    .whereRaw('carried_sums.quota <> import_rows.used')

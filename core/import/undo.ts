import type { Knex } from 'knex'
import { type Actor, ROLE, requireRole } from '../actor.ts'
import { recordChange } from '../changes/changes.ts'
import { GatewayError } from '../errors.ts'
import { openBalances, openBudgets, openUsed } from '../ledger/opening.ts'
import { type AddedCount, addCounts, addModelHours } from './counts.ts'
import type { RowKind } from './mappers/mapper.ts'
import type { ImportParts } from './run.ts'
import { getImport, readImports, type StoredImport } from './stored-imports.ts'

const DELETED_AT_ONCE = 2000

/** What was undone: how many rows of each table are gone. */
export type UndoReport = Record<string, number>

/**
 * Takes an import back, in one transaction: its rows are deleted, and what it changed is as before. The entries of its users stay,
 * with one more that takes the balance away. Root only. Throws IMPORT_NOT_FOUND, IMPORT_UNDONE, and IMPORT_DEPENDED_ON with what
 * depends on it.
 */
export async function undoImport(
  { db, sign, audit, follower, now }: ImportParts,
  actor: Actor,
  id: number,
): Promise<UndoReport> {
  requireRole(actor, ROLE.root)
  const report = await db.transaction(async (trx) => {
    await db.unhurried(trx)
    await db.alone(trx, 'import')
    const stored = await getImport(trx, id)
    if (stored.status === 'undone') throw new GatewayError('IMPORT_UNDONE', { id })
    const reason = await dependence(trx, stored)
    if (reason !== undefined) throw new GatewayError('IMPORT_DEPENDED_ON', { id, reason })
    const gone: UndoReport = {}
    gone.logs = await deleteLogs(trx, stored)
    gone.quota_data = await takeCountsBack(trx, stored)
    await restoreChanges(trx, stored, { sign, now: now(), actorId: actor.id })
    await closeBalances(trx, stored, { sign, now: now(), actorId: actor.id })
    for (const kind of ['tasks', 'midjourneys', 'top_ups', 'redemptions', 'tokens', 'channels', 'users'] as const) {
      gone[kind] = await deleteRows(trx, id, kind)
    }
    gone.options = await deleteOptions(trx, stored)
    await trx('import_rows').where({ import_id: id }).delete()
    await trx('imports').where({ id }).update({ status: 'undone', updated_at: now() })
    await audit.write(trx, actor, { action: 'import.undo', object: `import:${id}`, before: gone })
    return gone
  })
  await follower.catchUp()
  return report
}

/** Ids of the rows that an import brought. */
const broughtBy = (trx: Knex, id: number, kind: RowKind) =>
  trx('import_rows').where({ import_id: id, kind }).select('target_row')

/** What would be left without what it belongs to; undefined if there is nothing. */
async function dependence(trx: Knex.Transaction, { id, sourceId }: StoredImport): Promise<string | undefined> {
  const later = (await readImports(trx)).find(
    (other) => other.sourceId === sourceId && other.id > id && other.status !== 'undone',
  )
  if (later) return `import ${later.id} of the same source came after it: undo that one first`
  const users = broughtBy(trx, id, 'users')
  const checks: readonly [string, Knex.QueryBuilder][] = [
    ['charges of its users are in the log', trx('logs').whereIn('user_id', users).whereNotNull('request_id')],
    [
      'charges over its channels are in the log',
      trx('logs')
        .whereIn('channel_id', broughtBy(trx, id, 'channels'))
        .whereNotNull('request_id'),
    ],
    [
      'its users have made API keys since',
      trx('tokens')
        .whereIn('user_id', users)
        .whereNotIn('id', broughtBy(trx, id, 'tokens')),
    ],
    [
      'balances of its users have changed since',
      trx('ledger_entries')
        .whereIn('user_id', users)
        .whereNot((own) => own.where({ kind: 'opening' }).where('reference', 'like', `import-${id}-%`)),
    ],
    ['relays of its users are running', trx('holds').where({ account: 'user' }).whereIn('account_id', users)],
    [
      'its users have orders since',
      trx('top_ups')
        .whereIn('user_id', users)
        .whereNotIn('id', broughtBy(trx, id, 'top_ups')),
    ],
    [
      'its codes were redeemed since',
      trx('ledger_entries')
        .where({ kind: 'redemption' })
        .whereIn('reference', broughtBy(trx, id, 'redemptions').clearSelect().select(trx.raw(`'code-' || target_row`))),
    ],
    ['users were invited by its users since', invited(trx, id, users)],
  ]
  for (const [reason, query] of checks) {
    const found = Number((await query.clone().count({ n: '*' }).first())?.n ?? 0)
    if (found > 0) return `${reason} (${found})`
  }
  const isLastRoot =
    (await trx('users').whereIn('id', users).where('role', '>=', ROLE.root).first('id')) !== undefined &&
    (await trx('users').whereNotIn('id', users).where('role', '>=', ROLE.root).first('id')) === undefined
  return isLastRoot ? 'it brought the root user, without whom this gateway has none' : undefined
}

const invited = (trx: Knex, id: number, users: Knex.QueryBuilder) =>
  trx('users')
    .whereIn('inviter_id', users)
    .whereNotIn('id', broughtBy(trx, id, 'users'))

async function deleteLogs(trx: Knex.Transaction, { state }: StoredImport): Promise<number> {
  let deleted = 0
  for (const { from, done, offset } of state.logParts ?? []) {
    deleted += await trx('logs')
      .whereBetween('id', [from + offset, done + offset])
      .whereNull('request_id')
      .delete()
  }
  return deleted
}

const NEGATED = (row: AddedCount): AddedCount => [row[0], row[1], row[2], row[3], -row[4], -row[5], -row[6]]

async function takeCountsBack(trx: Knex.Transaction, { id, state }: StoredImport): Promise<number> {
  const added = (state.addedCounts ?? []).map(NEGATED)
  await addCounts(trx, added)
  await addModelHours(trx, added)
  const users = broughtBy(trx, id, 'users')
  const sums: Record<string, number | string>[] = await trx('quota_data')
    .whereIn('user_id', users)
    .groupBy('created_at', 'model_name')
    .select('created_at', 'model_name')
    .sum({ count: 'count', quota: 'quota', token_used: 'token_used' })
  await addModelHours(
    trx,
    sums.map(({ created_at, model_name, count, quota, token_used }) =>
      NEGATED([0, '', Number(created_at), String(model_name), Number(count), Number(quota), Number(token_used)]),
    ),
  )
  await trx('model_hours').where({ count: 0, quota: 0, token_used: 0 }).delete()
  return (await trx('quota_data').whereIn('user_id', users).delete()) + added.length
}

interface Booking {
  sign: (text: string) => string
  now: number
  actorId: number
}

/** Rows of earlier imports that this one changed. */
async function restoreChanges(trx: Knex.Transaction, { id, sourceId }: StoredImport, booking: Booking): Promise<void> {
  const changes: { kind: RowKind; target_row: number; quota: number; used: number; before: string }[] = await trx(
    'import_changes',
  ).where({ import_id: id })
  const moves = (kind: RowKind) =>
    changes
      .filter((change) => change.kind === kind)
      .map(({ target_row, quota, used }) => ({ id: target_row, quota: -quota, used: -used }))
  await openBalances(
    trx,
    moves('users').map((move) => ({ userId: move.id, quota: move.quota, reference: `undo-${id}-user-${move.id}` })),
    { ...booking, note: `import ${id} undone` },
  )
  await openUsed(
    trx,
    'user',
    moves('users').map((move) => ({ id: move.id, quota: move.used })),
  )
  await openBudgets(trx, moves('tokens'))
  await openUsed(
    trx,
    'channel',
    moves('channels').map((move) => ({ id: move.id, quota: move.used })),
  )
  for (const { kind, target_row, before } of changes) {
    const { fields, quota, used, digest } = JSON.parse(before) as {
      fields?: Record<string, unknown>
      quota: number
      used: number
      digest: string
    }
    if (fields) await trx(kind).where({ id: target_row }).update(fields)
    await trx('import_rows').where({ source_id: sourceId, kind, target_row }).update({ quota, used, digest })
  }
  await trx('import_changes').where({ import_id: id }).delete()
  for (const kind of ['users', 'tokens', 'channels'] as const) {
    const entity = ({ users: 'user', tokens: 'token', channels: 'channel' } as const)[kind]
    await recordChange(
      trx,
      entity,
      moves(kind).map((move) => move.id),
    )
  }
}

/** The books of users that go end with an entry: what they had is taken away, and no sum of the books is lost. */
async function closeBalances(trx: Knex.Transaction, { id }: StoredImport, booking: Booking): Promise<void> {
  const users: { id: number; quota: number }[] = await trx('users')
    .whereIn('id', broughtBy(trx, id, 'users'))
    .select('id', 'quota')
  const closings = users.map((user) => ({
    userId: user.id,
    quota: -user.quota,
    reference: `undo-${id}-user-${user.id}`,
  }))
  await openBalances(trx, closings, { ...booking, note: `import ${id} undone` })
}

const ACCOUNTS = { users: 'user', tokens: 'token', channels: 'channel' } as const

async function deleteRows(trx: Knex.Transaction, id: number, kind: RowKind): Promise<number> {
  const targets: number[] = await broughtBy(trx, id, kind).clearSelect().pluck('target_row')
  const account = ACCOUNTS[kind as keyof typeof ACCOUNTS]
  for (let start = 0; start < targets.length; start += DELETED_AT_ONCE) {
    const part = targets.slice(start, start + DELETED_AT_ONCE)
    if (account) await trx('carried_sums').where({ account }).whereIn('account_id', part).delete()
    if (kind === 'channels') await trx('abilities').whereIn('channel_id', part).delete()
    if (kind === 'users') await trx('sessions').whereIn('user_id', part).delete()
    await trx(kind).whereIn('id', part).delete()
    if (account) await recordChange(trx, account, part)
  }
  return targets.length
}

/** Options that it stored had no row before: without one the default is in force again. */
async function deleteOptions(trx: Knex.Transaction, { state }: StoredImport): Promise<number> {
  const keys = state.options ?? []
  const deleted = await trx('options').whereIn('key', keys).delete()
  await recordChange(trx, 'option', keys)
  return deleted
}

import type { Knex } from 'knex'
import { LOG_TYPE } from '../logs/log.ts'
import type { AccountKind } from './accounts.ts'
import type { Charge } from './charge.ts'

/** One ended relay, ready to be written: its charge, and how much the held quota of each row shrinks by. */
export interface Settlement {
  charge: Charge
  userShrink: number
  tokenShrink: number
  budgetTokenId: number
}

const HOUR_S = 3600
/** SQLite allows 32 766 parameters in a statement, PostgreSQL 65 535. */
const ROWS_PER_INSERT = 1000

/**
 * Writes a batch of settlements: log rows, user, token and channel totals and dashboard counts, all in the caller's
 * transaction. A request id that is in the books already is passed over, so that a batch can be written again.
 * `nodeId` is undefined when the process was taken for dead: its holds were given back, and nothing shrinks.
 */
export async function writeSettlements(
  trx: Knex.Transaction,
  settlements: readonly Settlement[],
  { nodeId, now, logged, counted }: { nodeId: string | undefined; now: number; logged: boolean; counted: boolean },
): Promise<void> {
  const byId = new Map(settlements.map((settlement) => [settlement.charge.requestId, settlement]))
  const charges = [...byId.values()].map(({ charge }) => charge)
  const fresh = await (logged ? insertLogs(trx, charges, now) : insertEntries(trx, charges, now))
  const written = [...byId.values()].filter(({ charge }) => fresh.has(charge.requestId))
  const shrunk = nodeId ? await shrinkHolds(trx, nodeId, written) : { user: new Map(), token: new Map() }

  await addTo(
    trx,
    'users',
    totals(written, ({ charge }) => charge.userId, shrunk.user),
    [
      ['quota', '-', 'quota'],
      ['used_quota', '+', 'quota'],
      ['request_count', '+', 'count'],
      ['held_quota', '-', 'shrink'],
    ],
  )
  const tokenChanges: Change[] = [
    ['remain_quota', '-', 'quota'],
    ['used_quota', '+', 'quota'],
    ['held_quota', '-', 'shrink'],
  ]
  const accessed = `accessed_time = ${Math.trunc(now)}`
  await addTo(
    trx,
    'tokens',
    totals(written, ({ charge }) => charge.tokenId, shrunk.token),
    tokenChanges,
    accessed,
  )
  await addTo(
    trx,
    'channels',
    totals(written, ({ charge }) => charge.channelId),
    [['used_quota', '+', 'quota']],
  )
  if (counted)
    await addDashboardCounts(
      trx,
      written.map(({ charge }) => charge),
      now,
    )
}

async function insertLogs(trx: Knex.Transaction, charges: Charge[], now: number): Promise<Set<string>> {
  return insertNew(
    trx,
    'logs',
    charges.map((charge) => ({
      user_id: charge.userId,
      created_at: now,
      type: LOG_TYPE.consumption,
      content: charge.content,
      username: charge.username,
      token_name: charge.tokenName,
      model_name: charge.modelName,
      quota: charge.quota,
      prompt_tokens: charge.promptTokens,
      completion_tokens: charge.completionTokens,
      use_time: charge.useTimeSeconds,
      is_stream: charge.isStream,
      channel_id: charge.channelId,
      token_id: charge.tokenId,
      group: charge.group,
      other: charge.other,
      request_id: charge.requestId,
    })),
    { conflict: ['request_id'], returning: 'request_id' },
  )
}

/** While consumption logging is off, a charge is an entry: the books must balance all the same. */
async function insertEntries(trx: Knex.Transaction, charges: Charge[], now: number): Promise<Set<string>> {
  const rows = charges.map(({ userId, quota, requestId, modelName }) => ({
    user_id: userId,
    kind: 'charge',
    quota: -quota,
    // Many charges share one transaction: only a sum of all up to this row could tell the balance after it.
    balance_after: 0,
    reference: requestId,
    note: modelName,
    created_at: now,
  }))
  return insertNew(trx, 'ledger_entries', rows, { conflict: ['kind', 'reference'], returning: 'reference' })
}

async function insertNew(
  trx: Knex.Transaction,
  table: string,
  rows: object[],
  { conflict, returning }: { conflict: string[]; returning: string },
): Promise<Set<string>> {
  const fresh = new Set<string>()
  for (let start = 0; start < rows.length; start += ROWS_PER_INSERT) {
    const part = rows.slice(start, start + ROWS_PER_INSERT)
    const inserted = await trx(table).insert(part).onConflict(conflict).ignore().returning(returning)
    for (const row of inserted) fresh.add(String(row[returning]))
  }
  return fresh
}

interface Totals {
  quota: number
  count: number
  shrink: number
}

/** Sums per row; id 0 stands for none. */
function totals(
  settlements: Settlement[],
  idOf: (settlement: Settlement) => number,
  shrunk: ReadonlyMap<number, number> = new Map(),
): Map<number, Totals> {
  const found = new Map<number, Totals>()
  for (const settlement of settlements) {
    const id = idOf(settlement)
    if (id === 0) continue
    const total = found.get(id) ?? { quota: 0, count: 0, shrink: shrunk.get(id) ?? 0 }
    total.quota += settlement.charge.quota
    total.count += 1
    found.set(id, total)
  }
  return found
}

type Change = [column: string, sign: '+' | '-', of: keyof Totals]

/** Adds each row's totals to its columns: one UPDATE for the whole batch, in the order of the ids. */
async function addTo(
  trx: Knex.Transaction,
  table: string,
  totalsById: Map<number, Totals>,
  changes: Change[],
  also?: string,
): Promise<void> {
  if (totalsById.size === 0) return
  const rows = [...totalsById].sort(([a], [b]) => a - b)
  // Locking in one order keeps two processes from waiting for each other.
  if (rows.length > 1 && trx.client.config.client === 'pg') {
    await trx(table)
      .whereIn(
        'id',
        rows.map(([id]) => id),
      )
      .orderBy('id')
      .forUpdate()
      .select('id')
  }
  const delta = rows
    .map(() => '(CAST(? AS bigint), CAST(? AS bigint), CAST(? AS bigint), CAST(? AS bigint))')
    .join(', ')
  const set = changes.map(([column, sign, of]) => `${column} = ${table}.${column} ${sign} delta.${of}`)
  if (also) set.push(also)
  await trx.raw(
    `WITH delta(id, quota, count, shrink) AS (VALUES ${delta})
     UPDATE ${table} SET ${set.join(', ')} FROM delta WHERE ${table}.id = delta.id`,
    rows.flatMap(([id, { quota, count, shrink }]) => [id, quota, count, shrink]),
  )
}

/** Takes what was spent off this process's holds. Answers by how much the held quota of each row shrinks with them. */
async function shrinkHolds(trx: Knex.Transaction, nodeId: string, settlements: Settlement[]) {
  const shrunk: Record<AccountKind, Map<number, number>> = { user: new Map(), token: new Map() }
  const add = (kind: AccountKind, id: number, quota: number) => {
    if (quota) shrunk[kind].set(id, (shrunk[kind].get(id) ?? 0) + quota)
  }
  for (const { charge, userShrink, budgetTokenId, tokenShrink } of settlements) {
    add('user', charge.userId, userShrink)
    add('token', budgetTokenId, tokenShrink)
  }
  const rows = (['user', 'token'] as const).flatMap((kind) =>
    [...shrunk[kind]].sort(([a], [b]) => a - b).map(([id, quota]) => [kind, id, quota] as const),
  )
  if (rows.length === 0) return shrunk
  const delta = rows.map(() => '(CAST(? AS varchar(8)), CAST(? AS bigint), CAST(? AS bigint))').join(', ')
  await trx.raw(
    `WITH delta(account, id, quota) AS (VALUES ${delta})
     UPDATE holds SET quota = holds.quota - delta.quota FROM delta
     WHERE holds.node_id = ? AND holds.account = delta.account AND holds.account_id = delta.id`,
    [...rows.flat(), nodeId],
  )
  return shrunk
}

async function addDashboardCounts(trx: Knex.Transaction, charges: Charge[], now: number): Promise<void> {
  const created_at = now - (now % HOUR_S)
  const buckets = new Map<string, Record<string, string | number>>()
  for (const { userId, username, modelName, quota, promptTokens, completionTokens } of charges) {
    const key = JSON.stringify([userId, username, modelName])
    const bucket = buckets.get(key)
    const used = promptTokens + completionTokens
    if (bucket) {
      bucket.count = Number(bucket.count) + 1
      bucket.quota = Number(bucket.quota) + quota
      bucket.token_used = Number(bucket.token_used) + used
    } else {
      buckets.set(key, {
        user_id: userId,
        username,
        model_name: modelName,
        created_at,
        count: 1,
        quota,
        token_used: used,
      })
    }
  }
  if (buckets.size === 0) return
  await trx('quota_data')
    .insert([...buckets.values()])
    .onConflict(['user_id', 'created_at', 'model_name', 'username'])
    .merge({
      count: trx.raw('quota_data.count + excluded.count'),
      quota: trx.raw('quota_data.quota + excluded.quota'),
      token_used: trx.raw('quota_data.token_used + excluded.token_used'),
    })
}

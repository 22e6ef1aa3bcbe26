import type { Knex } from 'knex'
import type { Actor } from '../actor.ts'
import type { Audit } from '../audit/audit.ts'
import type { Database } from '../db/database.ts'
import { countRows } from '../db/page.ts'
import { requireRow } from '../db/require-row.ts'
import { GatewayError } from '../errors.ts'
import { addCarried, type UsedAccount } from './carried.ts'
import { appendEntries, type ChainBreak, endOf, findBreaks, type Sign } from './chain.ts'
import type { EntryKind } from './entries.ts'
import { type CountedColumn, countOfAll, countOfUser, HOUR_COUNT_COLUMNS } from './hour-sums.ts'
import type { BalanceDifference, RowDifference } from './schema.ts'
import { verifyBalances, verifyBooks } from './verify.ts'

/** The proposed correction of one row. */
export interface Correction extends RowDifference {
  /** Description of the correction. Empty if only an operator can decide. */
  correction: string
}

interface RepairContext {
  trx: Knex.Transaction
  actor: Actor
  now: number
  sign: Sign
}

type Context = Omit<RepairContext, 'trx'> & { audit: Audit }

/** The correction of one kind of difference. */
interface Remedy {
  correction: string
  apply(row: RowDifference, repairing: RepairContext): Promise<void>
}

/** Returns the text of a difference for the note of an entry. */
const reasonOf = ({ table, id, what, found, expected }: Omit<RowDifference, 'user_id'>): string =>
  `${table} ${id}, ${what}: ${found} instead of ${expected}`

/** Adds an entry for a user and locks the row. `changesBalance` is false if the balance already includes the quota. */
async function addEntry(
  { trx, actor, now, sign }: RepairContext,
  entry: { userId: number; kind: EntryKind; quota: number; reference?: string; note: string; changesBalance: boolean },
): Promise<void> {
  const { userId, kind, quota, reference = null, note, changesBalance } = entry
  const user = await trx('users').where({ id: userId }).forUpdate().first('quota')
  if (!user) return
  if (changesBalance) await trx('users').where({ id: userId }).increment('quota', quota)
  const balance_after = user.quota + (changesBalance ? quota : 0)
  const row = { user_id: userId, kind, quota, balance_after, actor_id: actor.id, reference, note, created_at: now }
  await appendEntries(trx, [row], sign)
}

/** Records a difference and its correction in an entry of 0 quota. */
const recordRepair = (repairing: RepairContext, row: RowDifference): Promise<void> =>
  addEntry(repairing, {
    userId: row.user_id || repairing.actor.id,
    kind: 'correction',
    quota: 0,
    note: `repaired ${reasonOf(row)}`,
    changesBalance: false,
  })

const sumOf = async (rows: Knex.QueryBuilder): Promise<number> =>
  Number((await rows.sum({ total: 'quota' }))[0]?.total ?? 0)

const USED_ACCOUNTS: Record<string, UsedAccount> = { users: 'user', tokens: 'token', channels: 'channel' }

/** Returns the remedy for a missing entry. Changes the balance too, unless it already includes the quota. */
const addMissingEntry = (
  kind: EntryKind,
  referenceOf: (row: RowDifference, trx: Knex.Transaction) => Promise<string> | string,
): Remedy => ({
  correction: 'the entry is added; missing quota is added to the balance',
  async apply(row, repairing) {
    const { trx } = repairing
    const reference = await referenceOf(row, trx)
    // Keep an entry that has this reference, even if its contents differ.
    const existing = await trx('ledger_entries').where({ kind, reference }).first('id')
    if (existing) return
    await trx('users').where({ id: row.user_id }).forUpdate().first('id')
    const surplus = await differenceOf(trx, row.user_id)
    const isCredited = surplus !== undefined && surplus.quota - surplus.expected >= row.expected
    await addEntry(repairing, {
      userId: row.user_id,
      kind,
      quota: row.expected,
      reference,
      note: `repaired ${reasonOf(row)}`,
      changesBalance: !isCredited,
    })
  },
})

async function differenceOf(trx: Knex.Transaction, userId: number): Promise<BalanceDifference | undefined> {
  const { differences } = await verifyBalances(trx, userId)
  return differences[0]
}

/** Returns a remedy that runs `change`, and records the correction in an entry of 0 quota. */
const recorded = (
  correction: string,
  change: (trx: Knex.Transaction, row: RowDifference) => Promise<unknown>,
): Remedy => ({
  correction,
  async apply(row, repairing) {
    await change(repairing.trx, row)
    await recordRepair(repairing, row)
  },
})

interface Hour {
  created_at: number
  model_name: string
}

/** Parses the id of a difference in counts that have no row. The id consists of hour and model. */
function hourOf(id: string): Hour {
  const [hour = '', ...model] = id.split(' ')
  return { created_at: Number(hour), model_name: model.join(' ') }
}

const countAgain = (column: CountedColumn): Remedy =>
  recorded('counted again from the log', async (trx, row) => {
    const missing = row.expected - row.found
    const storedRow = () => trx('quota_data').where({ id: Number(row.id) })
    const storedHour: Hour | undefined = row.id.includes(' ')
      ? undefined
      : await storedRow().first('created_at', 'model_name')
    const hour = storedHour ?? hourOf(row.id)
    // Add only the missing amount, because relays may change the row at the same time.
    if (storedHour) await storedRow().increment(column, missing)
    else {
      const user = await trx('users').where({ id: row.user_id }).first('username')
      await trx('quota_data')
        .insert({ ...hour, user_id: row.user_id, username: user?.username ?? '', [column]: missing })
        .onConflict(['user_id', 'created_at', 'model_name', 'username'])
        .merge({ [column]: trx.raw('?? + ??', [`quota_data.${column}`, `excluded.${column}`]) })
    }
    await sumHour(trx, hour, column)
  })

const sumAgain = (column: CountedColumn): Remedy =>
  recorded('counted again from the users’ counts', (trx, { id }) => sumHour(trx, hourOf(id), column))

/** Sets a count to the sum of the users' counts. Relays change both in one transaction, the users' counts first. */
async function sumHour(trx: Knex.Transaction, hour: Hour, column: CountedColumn): Promise<void> {
  await trx('model_hours').where(hour).forUpdate().first(column)
  const [counted] = await trx('quota_data').where(hour).sum({ total: column })
  const total = Number(counted?.total ?? 0)
  await trx('model_hours')
    .insert({ ...hour, count: 0, quota: 0, token_used: 0, [column]: total })
    .onConflict(['created_at', 'model_name'])
    .merge({ [column]: total })
}

const REFUND = addMissingEntry('refund', ({ table, id }) => `${table}:${id}`)

const REMEDIES: Readonly<Record<string, Remedy>> = {
  held_quota: recorded('set to the sum of the reserves', async (trx, { table, id }) => {
    const account = table === 'users' ? 'user' : 'token'
    await trx(table).where({ id }).forUpdate().first('id')
    const total = await sumOf(trx('holds').where({ account, account_id: Number(id) }))
    await trx(table).where({ id }).update({ held_quota: total })
  }),
  'no process': recorded('released', async (trx, row) => {
    const orphans = await trx('holds')
      .where({ account_id: Number(row.id) })
      .whereNotIn('node_id', trx('nodes').select('id'))
      .select()
    for (const { node_id, account, account_id, quota } of orphans) {
      const table = account === 'user' ? 'users' : 'tokens'
      await trx(table).where({ id: account_id }).where('held_quota', '>=', quota).decrement('held_quota', quota)
      await trx('holds').where({ node_id, account, account_id }).delete()
    }
  }),
  remain_quota: recorded('kept; the granted budget becomes the remaining plus the used quota', (trx, { id }) =>
    trx('tokens')
      .where({ id: Number(id) })
      .update({ granted_quota: trx.raw('remain_quota + used_quota') }),
  ),
  used_quota: recorded('kept; the difference is recorded as usage without log rows', async (trx, row) => {
    const account = USED_ACCOUNTS[row.table]
    if (account) await addCarried(trx, account, [{ id: Number(row.id), quota: row.found - row.expected }])
  }),
  request_count: recorded('kept; the difference is recorded as usage without log rows', (trx, row) =>
    addCarried(trx, 'user', [{ id: Number(row.id), quota: 0, count: row.found - row.expected }]),
  ),
  'entry of a paid order': addMissingEntry('topup', async ({ id }, trx) => {
    const order = await trx('top_ups')
      .where({ id: Number(id) })
      .first('trade_no')
    return requireRow(order).trade_no
  }),
  'entry of a used code': addMissingEntry('redemption', ({ id }) => `code-${id}`),
  'refund of a failed task': REFUND,
  'refund of an ended batch': REFUND,
  ...Object.fromEntries(
    HOUR_COUNT_COLUMNS.flatMap((column) => [
      [countOfUser(column), countAgain(column)],
      [countOfAll(column), sumAgain(column)],
    ]),
  ),
}

/** Returns whether the entry exists but has another quota. Only an operator can decide which quota is right. */
const isContradiction = ({ what, found }: RowDifference): boolean =>
  found !== 0 && / of an? (paid|used|failed|ended) /.test(what)

const isBrokenChain = ({ table, found, expected }: RowDifference): boolean =>
  table === 'ledger_heads' || (table === 'ledger_entries' && found === 0 && expected === 0)

/** Returns the correction of a row. Returns an empty text if only an operator can decide. */
function correctionOf(row: RowDifference): string {
  if (isBrokenChain(row)) return 'accepted; `ledger verify` will report the next change'
  return isContradiction(row) ? '' : (REMEDIES[row.what]?.correction ?? '')
}

/** Returns the corrections that `repairBooks` would make, in the same order. Writes nothing. */
export async function proposeRepairs(db: Database, sign: Sign): Promise<Correction[]> {
  const { differences, rows } = await verifyBooks(db, sign)
  const proposals = rows.map((row) => ({ ...row, correction: correctionOf(row) }))
  return [...proposals, ...differences.flatMap(proposalsOfBalance)]
}

function proposalsOfBalance({ user_id, quota, expected, held_quota, expected_held }: BalanceDifference): Correction[] {
  const row = { table: 'users', id: String(user_id), user_id }
  const held = { ...row, what: 'held_quota', found: held_quota, expected: expected_held }
  const correction = 'an entry of the difference sets the balance to the sum of the books'
  const proposals = [
    { ...held, correction: correctionOf(held) },
    { ...row, what: 'quota', found: quota, expected, correction },
  ]
  return proposals.filter(({ found, expected: right }) => found !== right)
}

/**
 * Makes all automatic corrections while relays continue. Each correction has its own transaction, which also adds an
 * entry with the reason. Existing entries and charges are never edited. Returns the corrections. Throws
 * LEDGER_REPAIR_RUNNING.
 */
export async function repairBooks(db: Database, context: Context): Promise<Correction[]> {
  await claim(db, context)
  try {
    return await repairAll(db, context)
  } finally {
    await db.transaction((trx) => trx('meta').where({ key: CLAIM_KEY }).delete())
  }
}

const CLAIM_KEY = 'ledger_repair'
/** After this time, another repair may start, because the process of the earlier repair is assumed to be dead. */
const CLAIMED_S = 600

/** Prevents concurrent repairs, which would correct the same difference twice. Throws LEDGER_REPAIR_RUNNING. */
async function claim(db: Database, { actor, now, audit }: Context): Promise<void> {
  await db.transaction(async (trx) => {
    await db.serialize(trx, CLAIM_KEY)
    const claimed = await trx('meta').where({ key: CLAIM_KEY }).first('value')
    if (claimed && Number(claimed.value) > now - CLAIMED_S) throw new GatewayError('LEDGER_REPAIR_RUNNING')
    await trx('meta')
      .insert({ key: CLAIM_KEY, value: String(now) })
      .onConflict('key')
      .merge()
    // The audit entry lists no corrections, because ledger entries describe them.
    await audit.write(trx, actor, { action: 'ledger.repair', object: 'ledger' })
  })
}

async function repairAll(db: Database, context: Omit<RepairContext, 'trx'>): Promise<Correction[]> {
  const proposals = (await proposeRepairs(db, context.sign)).filter(({ correction }) => correction !== '')
  const isBalance = ({ table, what }: Correction) => table === 'users' && what === 'quota'
  const others = proposals.filter((proposal) => !isBalance(proposal))
  await acceptChains(db, context)
  for (const proposal of others) {
    const remedy = REMEDIES[proposal.what]
    if (remedy) await db.transaction((trx) => remedy.apply(proposal, { ...context, trx }))
  }
  // Compare the balances again, because the entries added above may have changed their differences.
  const { differences } = await db.snapshot((trx) => verifyBalances(trx))
  for (const { user_id } of differences) await db.transaction((trx) => correctBalance({ ...context, trx }, user_id))
  return [...others, ...proposals.filter(isBalance)]
}

/** Corrects a balance. Compares it again under the row lock, because another transaction may have corrected it. */
async function correctBalance(repairing: RepairContext, userId: number): Promise<void> {
  const { trx } = repairing
  await trx('users').where({ id: userId }).forUpdate().first('id')
  const difference = await differenceOf(trx, userId)
  const proposal = difference && proposalsOfBalance(difference).find(({ what }) => what === 'quota')
  if (!proposal) return
  const quota = proposal.found - proposal.expected
  const note = `repaired ${reasonOf(proposal)}`
  await addEntry(repairing, { userId, kind: 'correction', quota, note, changesBalance: false })
}

/** Accepts all breaks of chains. Records each break in an entry of the user. */
async function acceptChains(db: Database, context: Omit<RepairContext, 'trx'>): Promise<void> {
  const breaks = await db.snapshot(async (trx) => {
    const all: ChainBreak[] = []
    for await (const one of findBreaks(trx, context.sign)) all.push(one)
    return all
  })
  // Reset the ends of chains first, because the entries that are added below continue the chains.
  breaks.sort((a, b) => Number(b.table === 'ledger_heads') - Number(a.table === 'ledger_heads'))
  for (const { table, id, userId, expected } of breaks) {
    await db.transaction(async (trx) => {
      await trx('users').where({ id: userId }).forUpdate().first('id')
      if (table === 'ledger_heads') await resetHead(trx, userId, context.sign)
      else await trx('chain_breaks').insert({ entry_id: id, hash: expected }).onConflict('entry_id').merge(['hash'])
      const row = { table, id: String(id), what: 'chain', found: 0, expected: 0, user_id: userId }
      await recordRepair({ ...context, trx }, row)
    })
  }
}

/** Sets the end of a user's chain to the last existing entry. */
async function resetHead(trx: Knex.Transaction, userId: number, sign: Sign): Promise<void> {
  const entriesOfUser = () => trx('ledger_entries').where({ user_id: userId })
  const last = await entriesOfUser().orderBy('id', 'desc').first('hash')
  const entries = await countRows(entriesOfUser())
  await trx('ledger_heads')
    .insert({ user_id: userId, hash: last ? endOf(sign, userId, last.hash) : '', entries })
    .onConflict('user_id')
    .merge(['hash', 'entries'])
}

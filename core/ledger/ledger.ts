import type { Knex } from 'knex'
import type { Actor } from '../actor.ts'
import type { Audit } from '../audit/audit.ts'
import type { Clock } from '../db/clock.ts'
import type { Database } from '../db/database.ts'
import { withinDatabaseWait } from '../db/unavailable.ts'
import { GatewayError } from '../errors.ts'
import type { Ready } from '../ready.ts'
import { Roster } from '../roster.ts'
import type { AccountKind, GroupDebts } from './balances.ts'
import type { Settlement } from './batch.ts'
import type { Sign } from './chain.ts'
import type { Charge, HeldLimits, Hold, SettleOutcome } from './charge.ts'
import { book, type Entry } from './entries.ts'
import { claimJournals, createJournal } from './journal.ts'
import { fromRecord } from './journal-record.ts'
import { createMembership } from './membership.ts'
import { giveBack, type Refund } from './refunds.ts'
import { type Correction, proposeRepairs, repairBooks } from './repair.ts'
import { createReserves } from './reserves.ts'
import { type CommitListener, createSettler } from './settler.ts'
import { type Accounts, createTaker } from './take.ts'
import { type LedgerTotals, readTotals } from './totals.ts'
import { type Verification, verifyBooks } from './verify.ts'
import type { Want } from './want.ts'

const GIVE_BACK_EVERY_MS = 500

async function extendLimits(limits: readonly HeldLimits[], quota: number): Promise<boolean> {
  for (const limit of limits) if (!(await limit.extend(quota))) return false
  return true
}

/** Counts a relay's usage against its limits; without a charge, the usage is 0. */
function endLimits(limits: readonly HeldLimits[], charge?: Charge): void {
  for (const limit of limits) {
    if (charge) limit.used({ tokens: charge.promptTokens + charge.completionTokens, quota: charge.quota })
    limit.end()
  }
}

async function setBudget(trx: Knex.Transaction, { tokenId, quota }: { tokenId: number; quota: number }): Promise<void> {
  if (!Number.isSafeInteger(quota) || quota < 0) throw new Error(`A budget of ${quota} quota`)
  await trx('tokens')
    .where({ id: tokenId })
    .update({ remain_quota: quota, granted_quota: trx.raw('used_quota + ?', [quota]) })
}

export interface LedgerSettings {
  /** Whether a charge gets a log row (option LogConsumeEnabled); without one it is a ledger entry. */
  logged(): boolean
  /** Whether charges are counted for the dashboard (option DataExportEnabled). */
  counted(): boolean
  /** How far below zero the balances of a group's users may go (option GroupDebtLimit); teams are prepaid. */
  groupDebts(): GroupDebts
}

/** The open holds and waiting charges of a process. */
export interface LedgerLoad {
  readonly openHolds: number
  readonly heldQuota: number
  /** Charges that wait for their transaction, and the longest wait so far, in milliseconds. */
  readonly waitingCharges: number
  readonly waitingMs: number
}

/**
 * The only code that moves quota: hold → settle | release for relays, `credit` for other reasons. A process joins at its start,
 * or at its first hold, and releases its holds when it closes. If it dies, another process releases them within a minute.
 */
export interface Ledger {
  /** The current epoch of this process; empty before it has joined. Changes if the process was declared dead. */
  readonly nodeId: string
  /** When this process last wrote to the database through the ledger, in milliseconds of the monotonic clock; undefined: never. */
  readonly lastWriteMs: number | undefined
  load(): LedgerLoad
  /** Returns the sums of the books over all users. */
  totals(): Promise<LedgerTotals>
  /** Calls the listener with the charges of each batch after its commit, once per charge. */
  onCommitted(listener: CommitListener): void
  /** Writes a heartbeat now, which tests that the database is writable. Throws errors of the database. */
  heartbeat(): Promise<void>
  /**
   * Joins the processes that share the balances, and starts to look for dead ones; so does the first hold. Writes the charges in
   * the journals of dead processes.
   */
  start(): Promise<void>
  /**
   * Holds quota: less than `quota` if the want is flexible and the balance small. Rejects with INSUFFICIENT_QUOTA or
   * INSUFFICIENT_TOKEN_QUOTA (with the needed and available quota), and with DATABASE_UNAVAILABLE if the database does not reply
   * in time. Not a promise if the quota is in memory already.
   */
  hold(request: Accounts & Want): Ready<Hold>
  /** Adds to the open hold of a stream that runs longer than estimated. Throws as `hold` does; the hold stays open. */
  extend(hold: Hold, quota: number): Promise<void>
  /**
   * Writes the charge and ends the hold. Resolves when the charge is committed, or durable in the journal while the database is
   * unavailable. Only after `settled` may the client get the end of its reply.
   */
  settle(hold: Hold, charge: Charge): Promise<SettleOutcome>
  /** Gives back all but `quota` of an open hold. */
  reduce(hold: Hold, quota: number): void
  /** Ends the hold without a charge. */
  release(hold: Hold): void
  /** Moves a balance outside of a relay, in the caller's transaction. Returns the new balance. Throws BALANCE_TOO_LARGE. */
  credit(trx: Knex.Transaction, entry: Entry): Promise<number>
  /**
   * Refunds a charge to user, token and channel, in the caller's transaction; once for each reference. Returns the quota that the
   * balance gained, or undefined if nothing was left to refund. A full balance gains less, without an error.
   */
  refund(trx: Knex.Transaction, refund: Refund): Promise<number | undefined>
  /**
   * Sets the quota that a token may still spend, in the caller's transaction, which must record the token's change: each process
   * then gives back its unused reserve of the old budget. Open holds keep their quota.
   */
  setBudget(trx: Knex.Transaction, budget: { tokenId: number; quota: number }): Promise<void>
  /** Verifies every sum of the books in one database snapshot. */
  verify(): Promise<Verification>
  /** Returns the corrections that `repair` would make. */
  proposeRepairs(): Promise<Correction[]>
  /** Corrects the differences that `verify` finds, by entries that state the reason. Returns the corrections. */
  repair(actor: Actor): Promise<Correction[]>
  /** Gives back unused reserves after an edit of these balances or budgets (all without `ids`), so that they are reserved again. */
  reconsider(kind: AccountKind, ids?: readonly number[]): Promise<void>
  /** Looks for dead processes now, and releases their holds. Only a second call can find one dead. */
  releaseDead(): Promise<void>
  /** Settles waiting charges and releases all holds. Throws UnstoredChargesError if a charge could not be stored. */
  close(): Promise<void>
}

export function createLedger({
  db,
  now,
  clock,
  monotonicMs = () => performance.now(),
  journalFolder,
  settings,
  sign,
  audit,
  repair = async () => {},
  onFailure,
}: {
  db: Database
  now: () => number
  /** The database's clock. */
  clock: Clock
  /** Milliseconds of a monotonic clock; tests replace it. */
  monotonicMs?: () => number
  /** The folder for charges while the database is unavailable. */
  journalFolder: string
  settings: LedgerSettings
  /** Signs the chain of entries. */
  sign: Sign
  audit: Audit
  /** Fixes the cause of a failed batch, if possible; called with each failure. */
  repair?: (error: unknown) => Promise<void>
  onFailure: (error: unknown) => void
}): Ledger {
  let closed = false
  let giving: NodeJS.Timeout | undefined
  let starting: Promise<void> | undefined
  const open = new Roster<Hold>()
  const listeners: CommitListener[] = []
  let holds = 0

  const membership = createMembership({
    db,
    clock,
    monotonicMs,
    onEpoch: {
      ended: () => reserves.forget(),
      begun: () => void reserves.cover().catch(onFailure),
    },
    onFailure,
  })
  // After a failover, reserves in the rows may be larger than in memory: the difference would stay held until this process ends.
  db.onFailover?.(() => {
    if (membership.nodeId !== '') membership.renew(membership.nodeId).catch(onFailure)
  })
  const epoch = { current: () => membership.nodeId, isTrusted: membership.isTrusted, renew: membership.renew }
  const reserves = createReserves({
    db,
    nodeId: epoch.current,
    renew: epoch.renew,
    groupDebts: settings.groupDebts,
    onShort: loseHolds,
  })
  const taker = createTaker(reserves)
  const settler = createSettler({
    db,
    journal: createJournal(journalFolder),
    epoch,
    context: () => ({
      now: now(),
      logged: settings.logged(),
      counted: settings.counted(),
      groupDebts: settings.groupDebts(),
      sign,
    }),
    restore,
    onCommitted(charges, ms) {
      for (const listener of listeners) listener(charges, ms)
    },
    repair,
    onFailure,
  })

  /** Joins once, and starts to give back idle reserves: a process can hold quota without starting a gateway. */
  async function join(): Promise<void> {
    await membership.join()
    giving ??= setInterval(giveBackIdle, GIVE_BACK_EVERY_MS).unref()
  }

  let isGiving = false
  function giveBackIdle(): void {
    if (isGiving) return
    isGiving = true
    reserves
      .giveBack(GIVE_BACK_EVERY_MS)
      .catch(onFailure)
      .finally(() => {
        isGiving = false
      })
  }

  async function start(): Promise<void> {
    await join()
    for await (const journal of claimJournals(journalFolder)) {
      if (journal.tornBytes > 0) onFailure(new Error(`A journal of charges ends with ${journal.tornBytes} torn bytes`))
      await settler.replay(journal.records.flatMap((record) => fromRecord(record, journal.path)))
      await journal.remove()
      if (journal.damagedBytes > 0) {
        const where = `kept as ${journal.damagedPath}`
        onFailure(
          new Error(`A journal of charges has ${journal.damagedBytes} damaged bytes between its records: ${where}`),
        )
      }
    }
  }

  /** The balance covers only a part of the holds whose epoch ended: the oldest holds keep theirs, since they end first. */
  function loseHolds({ kind, id, covered }: { kind: AccountKind; id: number; covered: number }): void {
    let rest = covered
    for (const hold of [...open].sort((a, b) => a.number - b.number)) {
      if ((kind === 'user' ? hold.userId : hold.budgetTokenId) !== id) continue
      if (hold.quota <= rest) rest -= hold.quota
      else lose(hold)
    }
  }

  function lose(hold: Hold): void {
    open.delete(hold)
    taker.free(hold)
    hold.quota = 0
    hold.lost = true
    hold.onLost?.()
  }

  /** A duplicate or rejected charge took nothing from the rows. */
  function restore({ charge, userShrink, budgetTokenId, tokenShrink, nodeId }: Settlement): void {
    if (nodeId === '' || nodeId !== membership.nodeId) return
    reserves.restore('user', charge.userId, userShrink)
    reserves.restore('token', budgetTokenId, tokenShrink)
  }

  /** Ends a hold and returns its settlement. */
  function spend({ userId, budgetTokenId, quota: held, lost }: Hold, charge: Charge): Settlement {
    const charged = charge.quota
    const isCovered =
      !lost && reserves.covers('user', userId) && (budgetTokenId === 0 || reserves.covers('token', budgetTokenId))
    if (!isCovered) {
      if (!lost) taker.free({ userId, budgetTokenId, quota: held })
      return { charge, budgetTokenId, at: now(), nodeId: '', userShrink: 0, tokenShrink: 0 }
    }
    return {
      charge,
      budgetTokenId,
      at: now(),
      nodeId: membership.nodeId,
      userShrink: reserves.spend('user', userId, { held, charged }),
      tokenShrink: budgetTokenId ? reserves.spend('token', budgetTokenId, { held, charged }) : 0,
    }
  }

  return {
    get nodeId() {
      return membership.nodeId
    },
    get lastWriteMs() {
      const { lastBeatMs } = membership
      return lastBeatMs === undefined ? undefined : Math.max(lastBeatMs, settler.lastCommitMs ?? lastBeatMs)
    },
    load() {
      let heldQuota = 0
      for (const { quota } of open) heldQuota += quota
      return { openHolds: open.size, heldQuota, waitingCharges: settler.waiting, waitingMs: settler.waitingMs }
    },
    totals: () => readTotals(db.reader),
    onCommitted: (listener) => void listeners.push(listener),
    heartbeat: () => (giving ? membership.confirm() : join()),
    start() {
      starting ??= start().catch((error) => {
        starting = undefined
        throw error
      })
      return starting
    },

    hold(want) {
      const { quota, userId, budgetTokenId } = want
      if (!Number.isSafeInteger(quota) || quota < 0) return Promise.reject(new Error(`A hold of ${quota} quota`))
      const openHold = (taken: number): Hold => {
        const hold: Hold = { place: -1, number: ++holds, userId, budgetTokenId, quota: taken, open: true, lost: false }
        open.add(hold)
        return hold
      }
      if (!membership.isTrusted()) {
        const trusted = withinDatabaseWait(giving ? membership.confirm() : join())
        return trusted.then(() => taker.take(want)).then(openHold)
      }
      const taken = taker.take(want)
      return taken instanceof Promise ? taken.then(openHold) : openHold(taken)
    },

    async extend(hold, quota) {
      if (!hold.open) return
      if (hold.lost) throw new GatewayError('INSUFFICIENT_QUOTA', { needed: quota, available: 0 })
      const more = { userId: hold.userId, budgetTokenId: hold.budgetTokenId, quota }
      await taker.take(more)
      if (hold.limits && !(await extendLimits(hold.limits, quota))) {
        taker.free(more)
        throw new GatewayError('INSUFFICIENT_QUOTA', { needed: quota, available: 0 })
      }
      // The relay may have ended or lost its hold meanwhile: then only this call can free the quota.
      if (hold.open && !hold.lost) hold.quota += quota
      else taker.free(more)
    },

    settle(hold, charge) {
      if (!hold.open) return Promise.resolve('settled')
      if (!Number.isSafeInteger(charge.quota) || charge.quota < 0) throw new Error(`A charge of ${charge.quota} quota`)
      hold.open = false
      open.delete(hold)
      if (hold.limits) endLimits(hold.limits, charge)
      return settler.settle(spend(hold, charge))
    },

    reduce(hold, quota) {
      if (!hold.open || hold.lost || quota >= hold.quota) return
      const { userId, budgetTokenId } = hold
      taker.free({ userId, budgetTokenId, quota: hold.quota - quota })
      hold.quota = quota
    },

    release(hold) {
      if (!hold.open) return
      hold.open = false
      open.delete(hold)
      if (hold.limits) endLimits(hold.limits)
      if (!hold.lost) taker.free(hold)
    },

    credit: (trx, entry) => book(trx, entry, { now: now(), sign }),
    refund: (trx, refund) => giveBack(trx, refund, { now: now(), sign }),
    setBudget,
    verify: () => verifyBooks(db, sign),
    proposeRepairs: () => proposeRepairs(db, sign),
    repair: (actor) => repairBooks(db, { actor, now: now(), sign, audit }),
    reconsider: async (kind, ids) => void (membership.nodeId !== '' && (await reserves.reconsider(kind, ids))),
    releaseDead: membership.releaseDead,

    async close() {
      if (closed) return
      closed = true
      clearInterval(giving)
      try {
        await settler.close()
      } finally {
        // If the database is unavailable, another process later releases the reserves of this one.
        await membership.leave().catch(onFailure)
      }
    },
  }
}

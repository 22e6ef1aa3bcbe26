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
import { claimJournals, createJournal, fromRecord } from './journal.ts'
import { createMembership } from './membership.ts'
import { type Refund, refundCharge } from './refunds.ts'
import { type Correction, proposeRepairs, repairBooks } from './repair.ts'
import { createReserves } from './reserves.ts'
import type { LedgerVerification } from './schema.ts'
import { type CommitListener, createSettler } from './settler.ts'
import { createTaker, type HoldAccounts } from './take.ts'
import { type LedgerTotals, readTotals } from './totals.ts'
import { verifyBooks } from './verify.ts'
import type { Want } from './want.ts'

const GIVE_BACK_EVERY_MS = 500

async function extendLimits(limits: readonly HeldLimits[], quota: number): Promise<boolean> {
  for (const limit of limits) if (!(await limit.extend(quota))) return false
  return true
}

/** Reports a relay's usage to its limits and returns the unused amounts. Without a charge, the usage is 0. */
function endLimits(limits: readonly HeldLimits[], charge?: Charge): void {
  for (const limit of limits) {
    if (charge) limit.reportUsage({ tokens: charge.promptTokens + charge.completionTokens, quota: charge.quota })
    limit.end()
  }
}

async function setBudget(trx: Knex.Transaction, { tokenId, quota }: { tokenId: number; quota: number }): Promise<void> {
  if (!Number.isSafeInteger(quota) || quota < 0) throw new Error(`A budget of ${quota} quota is invalid`)
  await trx('tokens')
    .where({ id: tokenId })
    .update({ remain_quota: quota, granted_quota: trx.raw('used_quota + ?', [quota]) })
}

interface LedgerSettings {
  /** Whether charges get log rows (option LogConsumeEnabled). Otherwise each charge becomes a ledger entry. */
  hasLogRows(): boolean
  /** Whether charges are counted for the dashboard (option DataExportEnabled). */
  isCounted(): boolean
  /** Maximum debt of each user of a group, in quota, by group (option GroupDebtLimit). Teams may owe nothing. */
  groupDebts(): GroupDebts
}

/** The open holds and waiting charges of a process. */
interface LedgerLoad {
  readonly openHolds: number
  readonly heldQuota: number
  /** Number of charges that are not committed yet. */
  readonly waitingCharges: number
  /** Milliseconds since the first attempt to write the current batch of charges. 0 if no batch is being written. */
  readonly waitingMs: number
}

/**
 * Holds, charges and changes quota. A relay holds quota, then settles or releases the hold. Other changes use `credit`,
 * `refund` and `setBudget`. A process joins at `start` or at its first hold, and releases its holds at `close`. If the
 * process dies, another process releases its holds within a minute.
 */
export type Ledger = ReturnType<typeof createLedger>

export function createLedger(parts: {
  db: Database
  now: () => number
  /** The database's clock. */
  clock: Clock
  /** Milliseconds of a monotonic clock. Tests replace it. */
  monotonicMs?: () => number
  /** The folder where charges are stored while the database is unavailable. */
  journalFolder: string
  settings: LedgerSettings
  /** Signs the chains of entries. */
  sign: Sign
  audit: Audit
  /** Called after each failed batch, to fix the cause if possible. */
  repair?: (error: unknown) => Promise<void>
  onFailure: (error: unknown) => void
}) {
  const { db, now, clock, journalFolder, settings, sign, audit, onFailure } = parts
  const { monotonicMs = () => performance.now(), repair = async () => {} } = parts
  let closed = false
  let giveBackTimer: NodeJS.Timeout | undefined
  let startPromise: Promise<void> | undefined
  const openHolds = new Roster<Hold>()
  const listeners: CommitListener[] = []
  let holdCount = 0

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
  // After a failover, rows may show larger reserves than memory. Without a new epoch, the difference would stay held.
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
      hasLogRows: settings.hasLogRows(),
      isCounted: settings.isCounted(),
      groupDebts: settings.groupDebts(),
      sign,
    }),
    openHolds: () => openHolds.size,
    restore,
    onCommitted(charges, ms) {
      for (const listener of listeners) listener(charges, ms)
    },
    repair,
    onFailure,
  })

  /** Joins once, and starts the timer that gives back unused reserves. Commands without a gateway also join. */
  async function join(): Promise<void> {
    await membership.join()
    giveBackTimer ??= setInterval(giveBackIdle, GIVE_BACK_EVERY_MS).unref()
  }

  let isGivingBack = false
  function giveBackIdle(): void {
    if (isGivingBack) return
    isGivingBack = true
    reserves
      .giveBackIdle(GIVE_BACK_EVERY_MS)
      .catch(onFailure)
      .finally(() => {
        isGivingBack = false
      })
  }

  async function start(): Promise<void> {
    await join()
    for await (const journal of claimJournals(journalFolder)) {
      const { tornBytes, damagedBytes, damagedPath } = journal
      if (tornBytes > 0) onFailure(new Error(`A journal of charges ends with ${tornBytes} torn bytes`))
      await settler.replay(journal.records.flatMap((record) => fromRecord(record, journal.path)))
      await journal.remove()
      if (damagedBytes === 0) continue
      const damage = `${damagedBytes} damaged bytes between its records`
      onFailure(new Error(`A journal of charges has ${damage}: kept as ${damagedPath}`))
    }
  }

  /**
   * Ends holds of an ended epoch that the balance cannot cover again. `covered` is the quota that is reserved again.
   * The oldest holds keep their quota, because they end first.
   */
  function loseHolds({ kind, id, covered }: { kind: AccountKind; id: number; covered: number }): void {
    let remaining = covered
    for (const hold of [...openHolds].sort((a, b) => a.number - b.number)) {
      if ((kind === 'user' ? hold.userId : hold.budgetTokenId) !== id) continue
      if (hold.quota <= remaining) remaining -= hold.quota
      else lose(hold)
    }
  }

  function lose(hold: Hold): void {
    openHolds.delete(hold)
    taker.free(hold)
    hold.quota = 0
    hold.lost = true
    hold.onLost?.()
  }

  /** Restores the reserves in memory after a duplicate or rejected charge, which changed no rows. */
  function restore({ charge, userShrink, budgetTokenId, tokenShrink, nodeId }: Settlement): void {
    if (nodeId === '' || nodeId !== membership.nodeId) return
    reserves.restore('user', charge.userId, userShrink)
    reserves.restore('token', budgetTokenId, tokenShrink)
  }

  /** Ends a hold and returns its settlement. Updates the reserves in memory. */
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
    /**
     * The id of this process's current epoch (see `Membership`). Empty before the process has joined, and while it
     * begins a new epoch. The id changes if the process was declared dead.
     */
    get nodeId(): string {
      return membership.nodeId
    },
    /** When this process last wrote through the ledger, in monotonic milliseconds. Undefined before the first write. */
    get lastWriteMs(): number | undefined {
      const { lastBeatMs } = membership
      return lastBeatMs === undefined ? undefined : Math.max(lastBeatMs, settler.lastCommitMs ?? lastBeatMs)
    },
    /** Returns the open holds and waiting charges of this process. */
    load(): LedgerLoad {
      const heldQuota = [...openHolds].reduce((sum, { quota }) => sum + quota, 0)
      return { openHolds: openHolds.size, heldQuota, waitingCharges: settler.waiting, waitingMs: settler.waitingMs }
    },
    /** Returns sums over all users. */
    totals: (): Promise<LedgerTotals> => readTotals(db.reader),
    /** Calls the listener after each batch is committed, with the batch's charges. Each charge is reported once. */
    onCommitted: (listener: CommitListener): void => void listeners.push(listener),
    /** Writes a heartbeat immediately, or joins if necessary. Throws the error of a database that is not writable. */
    heartbeat: (): Promise<void> => (giveBackTimer ? membership.confirm() : join()),
    /**
     * Begins this process's first epoch, if the first hold has not already done so. Begins to look for dead processes.
     * Writes the charges in the journals of dead processes to the database.
     */
    start(): Promise<void> {
      startPromise ??= start().catch((error) => {
        startPromise = undefined
        throw error
      })
      return startPromise
    },

    /**
     * Holds `quota` of the user's balance and the token's budget. Holds less if the request is flexible and the balance
     * is small. Returns the hold itself if this process has already reserved enough quota, otherwise a promise.
     *
     * Rejects with INSUFFICIENT_QUOTA or INSUFFICIENT_TOKEN_QUOTA (with the needed and available quota), and with
     * DATABASE_UNAVAILABLE if the database does not reply in time.
     */
    hold(want: HoldAccounts & Want): Ready<Hold> {
      const { quota, userId, budgetTokenId } = want
      if (!Number.isSafeInteger(quota) || quota < 0)
        return Promise.reject(new Error(`A hold of ${quota} quota is invalid`))
      const openHold = (taken: number): Hold => {
        holdCount += 1
        const hold = { place: -1, number: holdCount, userId, budgetTokenId, quota: taken, open: true, lost: false }
        openHolds.add(hold)
        return hold
      }
      if (!membership.isTrusted()) {
        const trusted = withinDatabaseWait(giveBackTimer ? membership.confirm() : join())
        return trusted.then(() => taker.take(want)).then(openHold)
      }
      const taken = taker.take(want)
      return taken instanceof Promise ? taken.then(openHold) : openHold(taken)
    },

    /** Adds quota to the hold of a stream that runs longer than estimated. Rejects like `hold`; the hold stays open. */
    async extend(hold: Hold, quota: number): Promise<void> {
      if (!hold.open) return
      if (hold.lost) throw new GatewayError('INSUFFICIENT_QUOTA', { needed: quota, available: 0 })
      const more = { userId: hold.userId, budgetTokenId: hold.budgetTokenId, quota }
      await taker.take(more)
      if (hold.limits && !(await extendLimits(hold.limits, quota))) {
        taker.free(more)
        throw new GatewayError('INSUFFICIENT_QUOTA', { needed: quota, available: 0 })
      }
      // If the relay has ended or lost its hold in the meantime, only this call can free the quota.
      if (hold.open && !hold.lost) hold.quota += quota
      else taker.free(more)
    },

    /**
     * Writes the charge and ends the hold. Resolves when the charge is committed. While the database is unavailable, it
     * resolves when the charge is in the journal on disk. The client may get the end of its reply only if the outcome
     * is `settled`.
     */
    settle(hold: Hold, charge: Charge): Promise<SettleOutcome> {
      if (!hold.open) return Promise.resolve('settled')
      const isValid = Number.isSafeInteger(charge.quota) && charge.quota >= 0
      if (!isValid) throw new Error(`A charge of ${charge.quota} quota is invalid`)
      hold.open = false
      openHolds.delete(hold)
      if (hold.limits) endLimits(hold.limits, charge)
      return settler.settle(spend(hold, charge))
    },

    /** Reduces an open hold to `quota`. Does nothing if the hold is lost or already smaller. */
    reduce(hold: Hold, quota: number): void {
      if (!hold.open || hold.lost || quota >= hold.quota) return
      const { userId, budgetTokenId } = hold
      taker.free({ userId, budgetTokenId, quota: hold.quota - quota })
      hold.quota = quota
    },

    /** Ends the hold without a charge. */
    release(hold: Hold): void {
      if (!hold.open) return
      hold.open = false
      openHolds.delete(hold)
      if (hold.limits) endLimits(hold.limits)
      if (!hold.lost) taker.free(hold)
    },

    /**
     * Changes a balance for a reason other than a relay, in the caller's transaction. Returns the new balance. Throws
     * USER_NOT_FOUND, and BALANCE_TOO_LARGE for a credit above BALANCE_MAX.
     */
    credit: (trx: Knex.Transaction, entry: Entry): Promise<number> => book(trx, entry, { now: now(), sign }),
    /** Refunds a charge in the caller's transaction. For the returned quota, see `refundCharge`. */
    refund: (trx: Knex.Transaction, refund: Refund): Promise<number | undefined> =>
      refundCharge(trx, refund, { now: now(), sign }),
    /**
     * Sets the quota that a token may still spend, in the caller's transaction. The caller must also record a change of
     * the token. Each process then gives back its unused reserve of the old budget. Open holds keep their quota.
     */
    setBudget,
    /** Checks all sums of the books in one database snapshot. */
    verify: (): Promise<LedgerVerification> => verifyBooks(db, sign),
    /** Returns the corrections that `repair` would make. */
    proposeRepairs: (): Promise<Correction[]> => proposeRepairs(db, sign),
    /** Corrects the differences that `verify` finds. Returns the corrections. Throws LEDGER_REPAIR_RUNNING. */
    repair: (actor: Actor): Promise<Correction[]> => repairBooks(db, { actor, now: now(), sign, audit }),
    /** Gives back the unused reserves of edited balances or budgets, or of all. The next hold reserves again. */
    async giveBackReserves(kind: AccountKind, ids?: readonly number[]): Promise<void> {
      if (membership.nodeId !== '') await reserves.giveBackReserves(kind, ids)
    },
    /** Releases the holds of processes whose heartbeats have stopped (see `Membership`). */
    releaseDead: membership.releaseDead,

    /** Settles waiting charges and releases all holds. Throws UnstoredChargesError if a charge could not be stored. */
    async close(): Promise<void> {
      if (closed) return
      closed = true
      clearInterval(giveBackTimer)
      try {
        await settler.close()
      } finally {
        // If the database is unavailable, another process releases the reserves of this process later.
        await membership.leave().catch(onFailure)
      }
    },
  }
}

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
import { setBudget } from './budgets.ts'
import type { Sign } from './chain.ts'
import type { Charge, Hold, SettleOutcome } from './charge.ts'
import { book, type Entry } from './entries.ts'
import { claimJournals, createJournal } from './journal.ts'
import { fromRecord } from './journal-record.ts'
import { createMembership } from './membership.ts'
import { giveBack, type Refund } from './refunds.ts'
import { type Correction, proposeRepairs, repairBooks } from './repair.ts'
import { createReserves, Shortage } from './reserves.ts'
import { createSettler } from './settler.ts'
import { type Verification, verifyBooks } from './verify.ts'
import { leastOf, type Want } from './want.ts'

const GIVE_BACK_EVERY_MS = 500

export interface LedgerSettings {
  /** Whether a charge gets a log row (option LogConsumeEnabled); without one it is a ledger entry. */
  logged(): boolean
  /** Whether charges are counted for the dashboard (option DataExportEnabled). */
  counted(): boolean
  /** How far below zero the users of a group may go (option GroupDebtLimit). */
  groupDebts(): GroupDebts
}

/** The balances that a hold rests on. */
interface Accounts {
  readonly userId: number
  /** 0: no token budget is concerned. */
  readonly budgetTokenId: number
}

/**
 * The only code that moves quota: hold → settle | release for relays, `credit` for everything else. A process joins at its
 * start, or at its first hold, and releases its holds when it closes. If it dies, another process releases them within a minute.
 */
export interface Ledger {
  /** The current epoch of this process; empty before it has joined. It changes when the process was declared dead. */
  readonly nodeId: string
  /** When this process last wrote through the ledger's path, in milliseconds of the monotonic clock; undefined: never. */
  readonly lastWriteMs: number | undefined
  /** Writes a heartbeat now, to find out whether the database can be written to. Throws errors of the database. */
  heartbeat(): Promise<void>
  /**
   * Joins the processes that share the balances, and looks for dead ones from now on; the first hold does it too. Writes the
   * charges that an earlier process left in its journal.
   */
  start(): Promise<void>
  /**
   * Sets quota aside: less than `quota` if the want is flexible and the balance small. Throws INSUFFICIENT_QUOTA,
   * INSUFFICIENT_TOKEN_QUOTA with what was needed and what is available, and DATABASE_UNAVAILABLE when the database does not
   * answer in time: as rejections. Not a promise if the quota is in memory already.
   */
  hold(request: Accounts & Want): Ready<Hold>
  /** Adds to an open hold, for a stream that runs longer than foreseen. Throws as `hold` does; the hold stays. */
  extend(hold: Hold, quota: number): Promise<void>
  /**
   * Writes the charge and ends the hold. Resolves when it is committed, or durable in the journal while the database is away.
   * Only after `settled` may the client get the end of its reply.
   */
  settle(hold: Hold, charge: Charge): Promise<SettleOutcome>
  /** Ends the hold without a charge. */
  release(hold: Hold): void
  /** Moves a balance for another reason than a relay, in the caller's transaction. Answers the balance after it. Throws BALANCE_TOO_LARGE. */
  credit(trx: Knex.Transaction, entry: Entry): Promise<number>
  /**
   * Gives a charge back to user, token and channel, in the caller's transaction; once for each reference. Answers what the
   * balance gained, or undefined when nothing was left to give back. A full balance gains less, and stops nobody.
   */
  refund(trx: Knex.Transaction, refund: Refund): Promise<number | undefined>
  /** Sets what a token may still spend, in the caller's transaction, which must record the token's change. */
  setBudget(trx: Knex.Transaction, budget: { tokenId: number; quota: number }): Promise<void>
  /** Proves every sum of the books, in one moment of the database. */
  verify(): Promise<Verification>
  /** What `repair` would do. */
  proposeRepairs(): Promise<Correction[]>
  /** Corrects what `verify` finds, by entries that state the reason. Returns what it did. */
  repair(actor: Actor): Promise<Correction[]>
  /** After an edit of balances or budgets, of all without `ids`: what is set aside and unused goes back, and must be asked for anew. */
  reconsider(kind: AccountKind, ids?: readonly number[]): Promise<void>
  /** Looks for dead processes now, and releases the holds of those that are found. One look alone finds none. */
  releaseDead(): Promise<void>
  /** Settles what waits and releases all holds. Throws UnstoredChargesError if a charge could not be stored. */
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
  /** Milliseconds of a clock that is never set; tests hand in another. */
  monotonicMs?: () => number
  /** Where charges go while the database is away. */
  journalFolder: string
  settings: LedgerSettings
  /** Signs the chain of entries. */
  sign: Sign
  audit: Audit
  /** Repairs what keeps the database from taking rows, if it can: called with each failure of a batch. */
  repair?: (error: unknown) => Promise<void>
  onFailure: (error: unknown) => void
}): Ledger {
  let closed = false
  let giving: NodeJS.Timeout | undefined
  let starting: Promise<void> | undefined
  const open = new Roster<Hold>()
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
  // Reserves in the rows may be larger than in memory now: they would be held for as long as this process lives.
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
    repair,
    onFailure,
  })

  /** Joins, once; a process that hold quota may need its reserves back, though it never starts a gateway. */
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

  /** The balance covers only a part of the holds whose epoch ended: the oldest keep theirs, since they end first. */
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
    free(hold)
    hold.quota = 0
    hold.lost = true
    hold.onLost?.()
  }

  /** Resolves with how much was taken; undefined: all of it is taken from memory already. */
  function take(kind: AccountKind, id: number, want: Want): Promise<number> | undefined {
    const taking = reserves.take(kind, id, want)
    if (!taking) return undefined
    // What is taken after the caller has been rejected is free again.
    return withinDatabaseWait(taking, { late: (granted) => reserves.free(kind, id, granted) }).catch((error) => {
      if (!(error instanceof Shortage)) throw error
      const code = kind === 'user' ? 'INSUFFICIENT_QUOTA' : 'INSUFFICIENT_TOKEN_QUOTA'
      throw new GatewayError(code, { needed: leastOf(want), available: error.free })
    })
  }

  function free({ userId, budgetTokenId, quota }: Accounts & Pick<Want, 'quota'>): void {
    reserves.free('user', userId, quota)
    if (budgetTokenId) reserves.free('token', budgetTokenId, quota)
  }

  /** Returns how much was taken of both. */
  function takeBoth(want: Accounts & Want): Ready<number> {
    const { userId, budgetTokenId, quota, flexible } = want
    const taking = take('user', userId, { quota, flexible })
    if (!taking) return budgetTokenId ? takeOfToken(want, quota) : quota
    return budgetTokenId ? taking.then((ofUser) => takeOfToken(want, ofUser)) : taking
  }

  /** Takes as much of a token's budget as was taken of its user's balance; what is not to be had of it goes back there. */
  function takeOfToken({ userId, budgetTokenId, flexible }: Accounts & Want, ofUser: number): Ready<number> {
    const taking = take('token', budgetTokenId, { quota: ofUser, flexible })
    return taking ? lessOfUser(taking, { userId, ofUser }) : ofUser
  }

  async function lessOfUser(
    taking: Promise<number>,
    { userId, ofUser }: { userId: number; ofUser: number },
  ): Promise<number> {
    let ofToken = 0
    try {
      ofToken = await taking
      return ofToken
    } finally {
      reserves.free('user', userId, ofUser - ofToken)
    }
  }

  /** A charge that was in the books already, or was not accepted, took nothing from the rows. */
  function restore({ charge, userShrink, budgetTokenId, tokenShrink, nodeId }: Settlement): void {
    if (nodeId === '' || nodeId !== membership.nodeId) return
    reserves.restore('user', charge.userId, userShrink)
    reserves.restore('token', budgetTokenId, tokenShrink)
  }

  /** Ends a hold whose charge is to be written. */
  function spend({ userId, budgetTokenId, quota: held, lost }: Hold, charge: Charge): Settlement {
    const charged = charge.quota
    const isCovered =
      !lost && reserves.covers('user', userId) && (budgetTokenId === 0 || reserves.covers('token', budgetTokenId))
    if (!isCovered) {
      if (!lost) free({ userId, budgetTokenId, quota: held })
      return { charge, budgetTokenId, nodeId: '', userShrink: 0, tokenShrink: 0 }
    }
    return {
      charge,
      budgetTokenId,
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
        return trusted.then(() => takeBoth(want)).then(openHold)
      }
      const taken = takeBoth(want)
      return taken instanceof Promise ? taken.then(openHold) : openHold(taken)
    },

    async extend(hold, quota) {
      if (!hold.open) return
      if (hold.lost) throw new GatewayError('INSUFFICIENT_QUOTA', { needed: quota, available: 0 })
      const more = { userId: hold.userId, budgetTokenId: hold.budgetTokenId, quota }
      await takeBoth(more)
      // The relay may have ended meanwhile, or lost its hold: only this call can give it back.
      if (hold.open && !hold.lost) hold.quota += quota
      else free(more)
    },

    settle(hold, charge) {
      if (!hold.open) return Promise.resolve('settled')
      if (!Number.isSafeInteger(charge.quota) || charge.quota < 0) throw new Error(`A charge of ${charge.quota} quota`)
      hold.open = false
      open.delete(hold)
      return settler.settle(spend(hold, charge))
    },

    release(hold) {
      if (!hold.open) return
      hold.open = false
      open.delete(hold)
      if (!hold.lost) free(hold)
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
        // While the database is away, another process releases what this one leaves behind.
        await membership.leave().catch(onFailure)
      }
    },
  }
}

import type { Knex } from 'knex'
import type { Database } from '../db/database.ts'
import { GatewayError } from '../errors.ts'
import { randomHex } from '../secrets.ts'
import type { AccountKind } from './balances.ts'
import type { Settlement } from './batch.ts'
import { setBudget } from './budgets.ts'
import type { Charge, Hold } from './charge.ts'
import { book, type Entry } from './entries.ts'
import { heartbeat, register, releaseDead, unregister } from './nodes.ts'
import { giveBack, type Refund } from './refunds.ts'
import { createReserves, Shortage } from './reserves.ts'
import { writeSettlements } from './settlement.ts'
import { settlementScript } from './sqlite-batch.ts'
import { type Verification, verifyBooks } from './verify.ts'

const GIVE_BACK_EVERY_MS = 500
const HEARTBEAT_EVERY_MS = 10_000
const RETRY_MS = 250
const GATHER_MS = 1
/** One transaction stays short enough that the next writer does not wait long. */
const BATCH_MAX = 500
const NONE: ReadonlySet<Settlement> = new Set()

export interface LedgerSettings {
  /** Whether a charge gets a log row (option LogConsumeEnabled); without one it is a ledger entry. */
  logged(): boolean
  /** Whether charges are counted for the dashboard (option DataExportEnabled). */
  counted(): boolean
}

/**
 * The only code that moves quota: hold → settle | release for relays, `credit` for everything else.
 * A process joins at its start, or at its first hold, and takes its holds with it when it closes; one that dies gives them back within a
 * minute, through whichever process looks next.
 */
export interface Ledger {
  /** This process among those that share the balances; empty before it has joined. Another when it was taken for dead. */
  readonly nodeId: string
  /** Joins the processes that share the balances, and looks for dead ones from now on. The first hold does it too. */
  start(): Promise<void>
  /** Sets quota aside. Throws INSUFFICIENT_QUOTA, INSUFFICIENT_TOKEN_QUOTA with what was needed and what is available. */
  hold(request: { userId: number; budgetTokenId: number; quota: number }): Promise<Hold>
  /** Adds to an open hold, for a stream that runs longer than foreseen. Throws as `hold` does; the hold stays. */
  extend(hold: Hold, quota: number): Promise<void>
  /**
   * Writes the charge and ends the hold. Resolves when it is committed; failures of the database are tried again. Answers false
   * where the charge's task was there already, under the same name: then nothing was charged.
   */
  settle(hold: Hold, charge: Charge): Promise<boolean>
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
  /** Proves for each user that the balance equals its entries minus its charges. */
  verify(): Promise<Verification>
  /** After an edit of balances or budgets, of all without `ids`: what is set aside and unused goes back, and must be asked for anew. */
  reconsider(kind: AccountKind, ids?: readonly number[]): Promise<void>
  /** Gives the holds of dead processes back now, instead of at the next look. */
  releaseDead(): Promise<void>
  /** Settles what waits and gives all that is held back. */
  close(): Promise<void>
}

export function createLedger({
  db,
  now,
  settings,
  onFailure,
}: {
  db: Database
  now: () => number
  settings: LedgerSettings
  onFailure: (error: unknown) => void
}): Ledger {
  let nodeId = ''
  let joining: Promise<void> | undefined
  let closed = false
  let openHolds = 0
  const timers: NodeJS.Timeout[] = []
  const reserves = createReserves({ db, nodeId: () => nodeId, revive: () => db.transaction(beat) })
  let queue: { settlement: Settlement; done: (accepted: boolean) => void }[] = []
  let committing: Promise<void> | undefined

  function join(): Promise<void> {
    joining ??= (async () => {
      const id = randomHex(24)
      await db.transaction((trx) => register(trx, { nodeId: id, now: now() }))
      nodeId = id
      every(GIVE_BACK_EVERY_MS, () => reserves.giveBack(GIVE_BACK_EVERY_MS))
      every(HEARTBEAT_EVERY_MS, () =>
        db.transaction(async (trx) => {
          await beat(trx)
          await releaseDead(trx, now())
        }),
      )
    })().catch((error) => {
      joining = undefined
      throw error
    })
    return joining
  }

  function every(ms: number, work: () => Promise<unknown>): void {
    let running = false
    const timer = setInterval(() => {
      if (running) return
      running = true
      work()
        .catch(onFailure)
        .finally(() => {
          running = false
        })
    }, ms)
    timers.push(timer.unref())
  }

  /** Says that this process lives; when it was taken for dead, starts anew under another id. Answers the id it has now. */
  async function beat(trx: Knex.Transaction): Promise<string> {
    for (;;) {
      const id = nodeId
      if (await heartbeat(trx, { nodeId: id, now: now() })) return id
      if (id !== nodeId) continue // Another transaction of this process noticed first.
      reserves.forget()
      nodeId = randomHex(24)
      await register(trx, { nodeId, now: now() })
    }
  }

  /** undefined: it is taken already, without asking anybody. */
  function take(kind: 'user' | 'token', id: number, quota: number): Promise<void> | undefined {
    return reserves.take(kind, id, quota)?.catch((error) => {
      if (!(error instanceof Shortage)) throw error
      const code = kind === 'user' ? 'INSUFFICIENT_QUOTA' : 'INSUFFICIENT_TOKEN_QUOTA'
      throw new GatewayError(code, { needed: quota, available: error.free })
    })
  }

  function free({ userId, budgetTokenId, quota }: { userId: number; budgetTokenId: number; quota: number }): void {
    reserves.free('user', userId, quota)
    if (budgetTokenId) reserves.free('token', budgetTokenId, quota)
  }

  async function takeBoth({ userId, budgetTokenId, quota }: { userId: number; budgetTokenId: number; quota: number }) {
    const taking = take('user', userId, quota)
    if (taking) await taking
    if (!budgetTokenId) return
    try {
      await take('token', budgetTokenId, quota)
    } catch (error) {
      reserves.free('user', userId, quota)
      throw error
    }
  }

  /** While one transaction runs, the next batch gathers. */
  async function commitAll(): Promise<void> {
    while (queue.length) {
      // A transaction costs much the same for one relay as for twenty: while more relays run than wait here, those that
      // end within a moment share it. A relay that is alone does not wait.
      await new Promise<void>((resolve) =>
        queue.length >= openHolds ? setImmediate(resolve) : setTimeout(resolve, GATHER_MS),
      )
      const batch = queue.splice(0, BATCH_MAX)
      const refused = await commit(batch.map(({ settlement }) => settlement))
      for (const { settlement, done } of batch) done(!refused.has(settlement))
    }
    committing = undefined
  }

  /** Answers those whose task there was already. */
  async function commit(settlements: Settlement[]): Promise<ReadonlySet<Settlement>> {
    if (await commitScript(settlements)) return NONE
    for (let attempt = 1; ; attempt++) {
      try {
        const { written, refused } = await db.transaction(async (trx) =>
          writeSettlements(trx, settlements, { ...context(), nodeId: await beat(trx) }),
        )
        // After a failure nobody knows whether the rows had been written after all: then better too little than twice.
        for (const settlement of settlements) {
          if (refused.has(settlement) || (attempt === 1 && !written.has(settlement))) restore(settlement)
        }
        return refused
      } catch (error) {
        // A charge is never dropped: what was delivered must be in the books, however long the database is away.
        onFailure(error)
        await new Promise((resolve) => setTimeout(resolve, RETRY_MS))
      }
    }
  }

  /** SQLite's fast way. `false`: it was rolled back, and the careful way will tell why, or succeed. */
  async function commitScript(settlements: Settlement[]): Promise<boolean> {
    if (!db.script) return false
    try {
      await db.script(settlementScript(settlements, { ...context(), nodeId }))
      return true
    } catch {
      return false
    }
  }

  /** A charge that was in the books already, or was not accepted, took nothing from the rows. */
  function restore({ charge, userShrink, budgetTokenId, tokenShrink, nodeId: under }: Settlement): void {
    if (under !== nodeId) return
    reserves.restore('user', charge.userId, userShrink)
    reserves.restore('token', budgetTokenId, tokenShrink)
  }

  const context = () => ({ now: now(), logged: settings.logged(), counted: settings.counted() })

  return {
    get nodeId() {
      return nodeId
    },
    start: join,

    async hold({ userId, budgetTokenId, quota }) {
      if (!Number.isSafeInteger(quota) || quota < 0) throw new Error(`A hold of ${quota} quota`)
      if (nodeId === '') await join()
      await takeBoth({ userId, budgetTokenId, quota })
      openHolds++
      return { userId, budgetTokenId, quota, open: true }
    },

    async extend(hold, quota) {
      if (!hold.open) return
      const more = { userId: hold.userId, budgetTokenId: hold.budgetTokenId, quota }
      await takeBoth(more)
      // The relay may have ended meanwhile; nobody else would give this back.
      if (hold.open) hold.quota += quota
      else free(more)
    },

    settle(hold, charge) {
      if (!hold.open) return Promise.resolve(true)
      if (!Number.isSafeInteger(charge.quota) || charge.quota < 0) throw new Error(`A charge of ${charge.quota} quota`)
      hold.open = false
      openHolds--
      const { userId, budgetTokenId, quota: held } = hold
      const charged = charge.quota
      const settlement: Settlement = {
        charge,
        budgetTokenId,
        nodeId,
        userShrink: reserves.spend('user', userId, { held, charged }),
        tokenShrink: budgetTokenId ? reserves.spend('token', budgetTokenId, { held, charged }) : 0,
      }
      return new Promise((resolve) => {
        queue.push({ settlement, done: resolve })
        committing ??= commitAll()
      })
    },

    release(hold) {
      if (!hold.open) return
      hold.open = false
      openHolds--
      free(hold)
    },

    credit: (trx, entry) => book(trx, entry, now()),
    refund: (trx, refund) => giveBack(trx, refund, now()),
    setBudget,
    verify: () => verifyBooks(db.reader),
    reconsider: async (kind, ids) => void (nodeId !== '' && (await reserves.reconsider(kind, ids))),
    releaseDead: () => db.transaction((trx) => releaseDead(trx, now())),

    async close() {
      if (closed) return
      closed = true
      await committing
      for (const timer of timers) clearInterval(timer)
      queue = []
      if (joining) {
        await joining
        await db.transaction((trx) => unregister(trx, nodeId))
      }
    },
  }
}

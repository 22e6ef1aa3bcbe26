import type { Database } from '../db/database.ts'
import { reserve, tookEffect, unreserve } from './accounts.ts'
import type { AccountKind, GroupDebts } from './balances.ts'
import { isRegistered } from './nodes.ts'
import type { Want } from './want.ts'

/** A write of a reserve whose COMMIT reply was lost. */
interface UnknownOutcome {
  readonly act: 'reserve' | 'give-back'
  readonly operation: number
  readonly quota: number
  readonly nodeId: string
}

interface Waiting {
  readonly want: Want
  resolve: (granted: number) => void
  reject: (reason: unknown) => void
}

/** What this process has reserved of one balance (`size`) and how much of that open holds use (`used`). */
interface Reserve {
  readonly kind: AccountKind
  readonly id: number
  size: number
  used: number
  touchedMs: number
  waiting: Waiting[]
  /** A transaction changes its row. Only one does at a time, so that its last operation tells the outcome. */
  busy: boolean
  /** The balance was edited while the reserve was busy, or the outcome of its last write unknown. */
  outdated: boolean
  /** What open holds used when the balance was edited. It goes back as holds end, so that no later hold gets it. */
  stale: number
  unknown: UnknownOutcome | undefined
}

/** Not enough was free: `free` is what the balance had left for new holds. */
export class Shortage extends Error {
  constructor(readonly free: number) {
    super('shortage')
  }
}

interface Enlarged {
  readonly free: number
  readonly grants: readonly (number | undefined)[]
}

/** One transaction of a give-back stays short: relays wait for the rows that it locks. */
const GIVE_BACK_MAX = 50

/** Whether open holds use more than is reserved: their epoch ended, and they are not covered again yet. */
const isShort = ({ size, used }: Reserve): boolean => size < used
const spareOf = ({ size, used }: Reserve): number => size - used

/**
 * The part of each balance that this process may spend without asking the database. A hold that fits is taken in memory; one
 * that does not waits for one conditional UPDATE, together with all that wait for the same balance. Every quota that a process
 * gives out was taken from the row before, so any number of processes can share a balance and never spend it twice.
 */
export function createReserves({
  db,
  nodeId,
  renew,
  groupDebts,
  onShort,
}: {
  db: Database
  nodeId: () => string
  /** Begins a new epoch if `ended` is the current one. */
  renew: (ended: string) => Promise<void>
  groupDebts: () => GroupDebts
  /** The balance does not cover the open holds again: some must be given up, until they fit into `covered`. */
  onShort: (account: { kind: AccountKind; id: number; covered: number }) => void
}) {
  const reserves = new Map<string, Reserve>()
  let operations = 0

  function find(kind: AccountKind, id: number): Reserve {
    const key = `${kind}${id}`
    let account = reserves.get(key)
    if (!account) {
      account = {
        kind,
        id,
        size: 0,
        used: 0,
        touchedMs: 0,
        waiting: [],
        busy: false,
        outdated: false,
        stale: 0,
        unknown: undefined,
      }
      reserves.set(key, account)
    }
    return account
  }

  /** Serves all that wait for a balance, and covers open holds again whose epoch has ended. */
  async function refill(account: Reserve): Promise<void> {
    if (account.busy) return
    account.busy = true
    let isFailed = false
    try {
      while (account.waiting.length > 0 || (isShort(account) && !isFailed)) {
        const batch = account.waiting.splice(0)
        try {
          const enlarged = await enlarge(account, batch)
          if (enlarged === undefined) account.waiting.unshift(...batch)
          else serve(account, batch, enlarged)
          // What is short now belongs to holds that are still being taken: the next turn looks again.
          if (enlarged !== undefined && isShort(account)) isFailed = true
        } catch (error) {
          isFailed = true
          for (const { reject } of batch) reject(error)
        }
      }
    } finally {
      account.busy = false
    }
    if (account.outdated) await giveBackEdited(account)
  }

  /**
   * Reserves what a batch needs. Returns what is free after it, and what each request gets; undefined if the epoch ended: try
   * again under the new one.
   */
  async function enlarge(account: Reserve, batch: Waiting[]): Promise<Enlarged | undefined> {
    await settleUnknown(account)
    const { kind, id } = account
    const spare = spareOf(account)
    const wants = batch.map(({ want }) => want)
    if (wants.reduce((sum, { quota }) => sum + quota, 0) <= spare) {
      return { free: 0, grants: wants.map(({ quota }) => quota) }
    }
    const reserving = nodeId()
    const operation = ++operations
    let granted = 0
    let got: Awaited<ReturnType<typeof reserve>>
    try {
      got = await db.transaction(async (trx) => {
        granted = 0
        const result = await reserve(trx, {
          nodeId: reserving,
          kind,
          id,
          operation,
          spare,
          wants,
          groupDebts: groupDebts(),
        })
        granted = result?.granted ?? 0
        return result
      })
    } catch (error) {
      // All statements had succeeded: only the reply to COMMIT is missing.
      if (granted > 0) account.unknown = { act: 'reserve', operation, quota: granted, nodeId: reserving }
      throw error
    }
    if (got === undefined || reserving !== nodeId()) {
      await renew(reserving)
      return undefined
    }
    account.size += got.granted
    if (isShort(account)) onShort({ kind, id, covered: account.size })
    return { free: got.free - got.granted, grants: got.grants }
  }

  function serve(account: Reserve, batch: Waiting[], { free, grants }: Enlarged): void {
    for (const [at, { resolve, reject }] of batch.entries()) {
      const grant = grants[at]
      if (grant !== undefined && spareOf(account) >= grant) {
        account.used += grant
        resolve(grant)
      } else reject(new Shortage(Math.max(0, free + spareOf(account))))
    }
  }

  /** Reads back what a write did whose outcome is unknown. Throws while the database does not answer. */
  async function settleUnknown(account: Reserve): Promise<void> {
    const { unknown, kind, id } = account
    if (!unknown) return
    // The rows of an ended epoch were released, whatever became of the write.
    if (unknown.nodeId === nodeId()) {
      const { act, operation, quota } = unknown
      const happened = await db.transaction((trx) =>
        tookEffect(trx, { nodeId: unknown.nodeId, kind, id, operation, act }),
      )
      if (account.unknown !== unknown) return
      if (happened === undefined) await renew(unknown.nodeId)
      else if (happened === (act === 'reserve')) account.size += quota
    }
    account.unknown = undefined
  }

  /** What came out of a balance before its edit goes back after all. */
  async function giveBackEdited(account: Reserve): Promise<void> {
    account.outdated = false
    try {
      await giveBackSpare([account])
    } catch {
      account.outdated = true // The database is away: the next refill tries again.
    }
  }

  /** A hold has ended: if it was older than an edit of the balance, what it leaves goes back. */
  function returnStale(account: Reserve, held: number): void {
    if (account.stale === 0) return
    account.stale = Math.max(0, account.stale - held)
    if (account.busy || account.unknown) account.outdated = true
    else void giveBackEdited(account)
  }

  /** Another operation on its row would hide what became of the last one. */
  const canGiveBack = (account: Reserve): boolean => !account.busy && !account.unknown && spareOf(account) > 0

  /** Gives back what no open hold uses. */
  async function giveBackSpare(accounts: Reserve[]): Promise<void> {
    const returns = accounts.filter(canGiveBack).sort((a, b) => b.kind.localeCompare(a.kind) || a.id - b.id)
    for (let start = 0; start < returns.length; start += GIVE_BACK_MAX) {
      // Some may have become busy while another part was written.
      await giveBackPart(returns.slice(start, start + GIVE_BACK_MAX).filter(canGiveBack))
    }
  }

  async function giveBackPart(accounts: Reserve[]): Promise<void> {
    if (accounts.length === 0) return
    const giving = nodeId()
    // Taken out of memory before the rows get it: in between, no hold can use it.
    const returns = accounts.map((account) => {
      const quota = spareOf(account)
      account.busy = true
      account.outdated = false
      account.size -= quota
      return { account, quota, operation: ++operations }
    })
    let isWritten = false
    let isGiven = false
    try {
      const removed = await db.transaction(async (trx) => {
        isWritten = false
        if (!(await isRegistered(trx, giving))) return undefined
        let sum = 0
        for (const { account, quota, operation } of returns) {
          const { kind, id } = account
          sum += await unreserve(trx, { nodeId: giving, kind, id, quota, operation })
        }
        isWritten = true
        return sum
      })
      isGiven = true
      // Rows that hold less than memory are not this process's alone any more: it starts over with new ones.
      if (removed !== returns.reduce((sum, { quota }) => sum + quota, 0)) await renew(giving)
    } catch (error) {
      for (const { account, quota, operation } of returns) {
        if (giving !== nodeId()) continue
        if (isWritten) account.unknown = { act: 'give-back', operation, quota, nodeId: giving }
        else account.size += quota
      }
      throw error
    } finally {
      for (const account of accounts) {
        account.busy = false
        // What was edited is given back when the database is there again.
        if (!isGiven) account.outdated = true
        if (account.waiting.length > 0) void refill(account)
        else if (isGiven && account.outdated) void giveBackEdited(account)
      }
    }
  }

  /** Retries what the database could not do while it was away. */
  async function recover(): Promise<void> {
    for (const account of reserves.values()) {
      if (account.busy) continue
      if (isShort(account)) await refill(account)
      else if (account.unknown) await whileBusy(account, () => settleUnknown(account))
    }
  }

  async function whileBusy(account: Reserve, work: () => Promise<void>): Promise<void> {
    account.busy = true
    try {
      await work()
    } finally {
      account.busy = false
      if (account.waiting.length > 0) void refill(account)
    }
    if (account.outdated) await giveBackEdited(account)
  }

  return {
    /**
     * Holds a part of a balance. Resolves with how much; undefined: all of it, taken from memory. Rejects with Shortage if the
     * balance does not have it.
     */
    take(kind: AccountKind, id: number, want: Want): Promise<number> | undefined {
      const { quota } = want
      if (quota === 0) return undefined
      const account = find(kind, id)
      account.touchedMs = performance.now()
      // While the reserve is busy, what is in it is promised to those that wait.
      if (!account.busy && spareOf(account) >= quota) {
        account.used += quota
        return undefined
      }
      return new Promise((resolve, reject) => {
        account.waiting.push({ want, resolve, reject })
        void refill(account)
      })
    },

    /** Ends a hold that is not charged. */
    free(kind: AccountKind, id: number, quota: number): void {
      if (quota === 0) return
      const account = find(kind, id)
      account.used -= quota
      returnStale(account, quota)
    },

    /** Whether the reserve covers all open holds of a balance. */
    covers: (kind: AccountKind, id: number): boolean => !isShort(find(kind, id)),

    /** Ends a hold that is charged. Returns how much the reserve shrinks by: the row's held quota must shrink as much. */
    spend(kind: AccountKind, id: number, { held, charged }: { held: number; charged: number }): number {
      const account = find(kind, id)
      account.used -= held
      const shrink = Math.min(charged, held, account.size)
      account.size -= shrink
      returnStale(account, held)
      return shrink
    },

    /** Takes back what `spend` gave away for a charge that was in the books already. */
    restore(kind: AccountKind, id: number, shrink: number): void {
      if (shrink) find(kind, id).size += shrink
    },

    /** Forgets all reserves: the epoch has ended, and the rows were released. */
    forget(): void {
      for (const account of reserves.values()) {
        account.size = 0
        account.stale = 0
        account.unknown = undefined
      }
    },

    /** Reserves again what open holds use, under the new epoch. Failures are retried at the next turn of `giveBack`. */
    async cover(): Promise<void> {
      const short = [...reserves.values()].filter((account) => !account.busy && isShort(account))
      for (const account of short) await refill(account)
    },

    /** Gives back what no open hold uses and no request wanted since `idleMs` ago. */
    async giveBack(idleMs: number): Promise<void> {
      await recover()
      const before = performance.now() - idleMs
      const idle = [...reserves.entries()].filter(
        ([, { touchedMs, waiting, busy }]) => touchedMs <= before && !busy && waiting.length === 0,
      )
      await giveBackSpare(idle.map(([, account]) => account))
      for (const [key, { size, used, waiting, busy, unknown }] of idle) {
        // A request may have come for it meanwhile: what is being refilled must stay where others find it.
        if (size === 0 && used === 0 && waiting.length === 0 && !busy && !unknown) reserves.delete(key)
      }
    },

    /** Gives back what no open hold uses of balances that were edited, of all of that kind without `ids`. */
    async reconsider(kind: AccountKind, ids?: readonly number[]): Promise<void> {
      const edited = [...reserves.values()].filter(
        (account) => account.kind === kind && (ids?.includes(account.id) ?? true),
      )
      // A refill may have read the balance before the edit, and its reply is still on the way.
      for (const account of edited) {
        account.outdated = account.busy || account.unknown !== undefined
        account.stale = account.used
      }
      await giveBackSpare(edited)
    },
  }
}

export type Reserves = ReturnType<typeof createReserves>

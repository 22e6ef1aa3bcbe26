import type { Database } from '../db/database.ts'
import { lockAccount, reserve, tookEffect, unreserve } from './accounts.ts'
import type { AccountKind, GroupDebts } from './balances.ts'
import { isRegistered } from './nodes.ts'
import { canGiveBack, isShort, newReserve, type Reserve, type ReserveWaiter, spareOf, takeFrom } from './reserve.ts'
import type { Want } from './want.ts'

/** Thrown if the balance is too low. `free` is the quota that is left for new holds. */
export class Shortage extends Error {
  constructor(readonly free: number) {
    super('shortage')
  }
}

interface Enlarged {
  /** The quota of the balance that is still free. */
  readonly free: number
  /** The quota of each waiting request, or undefined if the request is rejected. */
  readonly grants: readonly (number | undefined)[]
}

/** Maximum number of reserves per give-back transaction, because relays wait for the rows that it locks. */
const GIVE_BACK_MAX = 50

/**
 * Creates the reserves of this process. A reserve is the part of a balance that the process may spend without a
 * database query. A hold that fits into the reserve is taken in memory. Otherwise, one UPDATE serves all holds that
 * wait for the same balance. A process reserves quota in the row before it spends this quota. So processes never spend
 * the same quota twice.
 */
export function createReserves(parts: {
  db: Database
  nodeId: () => string
  /** Begins a new epoch if `ended` is still the current epoch. */
  renew: (ended: string) => Promise<void>
  groupDebts: () => GroupDebts
  /** Called if the balance cannot cover the open holds again. Must end holds until the others fit into `covered`. */
  onShort: (account: { kind: AccountKind; id: number; covered: number }) => void
}) {
  const { db, nodeId, renew, groupDebts, onShort } = parts
  const reserves = new Map<string, Reserve>()
  let operations = 0

  function reserveOf(kind: AccountKind, id: number): Reserve {
    const key = `${kind}${id}`
    let account = reserves.get(key)
    if (!account) {
      account = newReserve(kind, id)
      reserves.set(key, account)
    }
    return account
  }

  /** Serves all requests that wait for a balance. After the end of an epoch, also reserves for open holds again. */
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
          // If the reserve is still short, the missing quota belongs to holds that are not open yet. The next call
          // checks again.
          if (enlarged !== undefined && isShort(account)) isFailed = true
          // New requests wait until the edited reserve is given back.
          if (account.isEdited) break
        } catch (error) {
          isFailed = true
          for (const { reject } of batch) reject(error)
        }
      }
    } finally {
      account.busy = false
    }
    if (account.isEdited) await giveBackEdited(account)
    if (account.waiting.length > 0) await refill(account)
  }

  /** Reserves the quota of a batch. Returns undefined if a new epoch has begun; the caller must then retry. */
  async function enlarge(account: Reserve, batch: ReserveWaiter[]): Promise<Enlarged | undefined> {
    await settleUnknown(account)
    const { kind, id } = account
    const spare = spareOf(account)
    const wants = batch.map(({ want }) => want)
    if (!account.isEdited && wants.reduce((sum, { quota }) => sum + quota, 0) <= spare) {
      return { free: 0, grants: wants.map(({ quota }) => quota) }
    }
    const epoch = nodeId()
    const operation = ++operations
    let granted = 0
    let reserved: Awaited<ReturnType<typeof reserve>>
    try {
      reserved = await db.transaction(async (trx) => {
        granted = 0
        const result = await reserve(trx, {
          nodeId: epoch,
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
      // If quota was granted, all statements have succeeded and only the reply to COMMIT is missing.
      if (granted > 0) account.unknown = { act: 'reserve', operation, quota: granted, nodeId: epoch }
      throw error
    }
    if (reserved === undefined || epoch !== nodeId()) {
      await renew(epoch)
      return undefined
    }
    account.size += reserved.granted
    if (isShort(account)) onShort({ kind, id, covered: account.size })
    return { free: reserved.free - reserved.granted, grants: reserved.grants }
  }

  function serve(account: Reserve, batch: ReserveWaiter[], { free, grants }: Enlarged): void {
    for (const [at, { resolve, reject }] of batch.entries()) {
      const grant = grants[at]
      if (grant !== undefined && spareOf(account) >= grant) {
        takeFrom(account, grant)
        resolve(grant)
      } else reject(new Shortage(Math.max(0, free + spareOf(account))))
    }
  }

  /** Queries whether a change with an unknown outcome took effect. Throws if the database does not reply. */
  async function settleUnknown(account: Reserve): Promise<void> {
    const { unknown, kind, id } = account
    if (!unknown) return
    // If the epoch has ended, its reserves were released, so the outcome does not matter.
    if (unknown.nodeId === nodeId()) {
      const { act, operation, quota } = unknown
      const isEffective = await db.transaction((trx) =>
        tookEffect(trx, { nodeId: unknown.nodeId, kind, id, operation, act }),
      )
      if (account.unknown !== unknown) return
      if (isEffective === undefined) await renew(unknown.nodeId)
      else if (isEffective === (act === 'reserve')) account.size += quota
    }
    account.unknown = undefined
  }

  /** Gives back the unused quota that was reserved before the balance was edited. */
  async function giveBackEdited(account: Reserve): Promise<void> {
    try {
      await giveBackSpare([account])
    } catch {
      // The database is unavailable. `isEdited` stays true, so that `recover` or the next refill retries.
    }
  }

  /** Gives back the quota of an ended hold if the balance was edited since the hold began. */
  function returnStale(account: Reserve, held: number): void {
    if (account.quotaBeforeEdit === 0) return
    account.quotaBeforeEdit = Math.max(0, account.quotaBeforeEdit - held)
    account.isEdited = true
    if (!account.busy && !account.unknown) void giveBackEdited(account)
  }

  /** Gives back the quota that no open hold uses. */
  async function giveBackSpare(accounts: Reserve[]): Promise<void> {
    for (const account of accounts) {
      if (!account.busy && !account.unknown && spareOf(account) <= 0) account.isEdited = false
    }
    const returns = accounts.filter(canGiveBack).sort((a, b) => b.kind.localeCompare(a.kind) || a.id - b.id)
    for (let start = 0; start < returns.length; start += GIVE_BACK_MAX) {
      // Check again, because a reserve may have become busy during the previous transaction.
      await giveBackPart(returns.slice(start, start + GIVE_BACK_MAX).filter(canGiveBack))
    }
  }

  async function giveBackPart(accounts: Reserve[]): Promise<void> {
    if (accounts.length === 0) return
    const epoch = nodeId()
    // Remove the quota from memory first, so that no hold can use it while the transaction runs.
    const returns = accounts.map((account) => {
      const quota = spareOf(account)
      const { isEdited } = account
      account.busy = true
      account.isEdited = false
      account.size -= quota
      return { account, quota, operation: ++operations, isEdited }
    })
    let isWritten = false
    let isGiven = false
    try {
      const removed = await db.transaction(async (trx) => {
        isWritten = false
        if (!(await isRegistered(trx, epoch))) return undefined
        let sum = 0
        for (const { account } of returns) await lockAccount(trx, account)
        for (const { account, quota, operation } of returns) {
          const { kind, id } = account
          sum += await unreserve(trx, { nodeId: epoch, kind, id, quota, operation })
        }
        isWritten = true
        return sum
      })
      isGiven = true
      // Begin a new epoch if the rows held less quota than the reserves in memory.
      if (removed !== returns.reduce((sum, { quota }) => sum + quota, 0)) await renew(epoch)
    } catch (error) {
      for (const { account, quota, operation, isEdited } of returns) {
        if (epoch !== nodeId()) continue
        account.isEdited ||= isEdited
        if (isWritten) account.unknown = { act: 'give-back', operation, quota, nodeId: epoch }
        else account.size += quota
      }
      throw error
    } finally {
      for (const account of accounts) {
        account.busy = false
        if (account.waiting.length > 0) void refill(account)
        else if (isGiven && account.isEdited) void giveBackEdited(account)
      }
    }
  }

  /** Retries writes that failed while the database was unavailable. */
  async function recover(): Promise<void> {
    for (const account of reserves.values()) {
      if (account.busy) continue
      if (isShort(account)) await refill(account)
      else if (account.unknown) await whileBusy(account, () => settleUnknown(account))
    }
    await giveBackSpare([...reserves.values()].filter(({ isEdited }) => isEdited))
  }

  async function whileBusy(account: Reserve, work: () => Promise<void>): Promise<void> {
    account.busy = true
    try {
      await work()
    } finally {
      account.busy = false
      if (account.waiting.length > 0) void refill(account)
    }
    if (account.isEdited) await giveBackEdited(account)
  }

  return {
    /**
     * Holds quota of a balance. Returns undefined if the whole quota was taken in memory. Otherwise resolves with the
     * held quota. Rejects with Shortage if the balance is too low.
     */
    take(kind: AccountKind, id: number, want: Want): Promise<number> | undefined {
      const { quota } = want
      if (quota === 0) return undefined
      const account = reserveOf(kind, id)
      account.touchedMs = performance.now()
      // While the reserve is busy, its quota belongs to the waiting requests. After an edit, only the row shows how
      // much is free.
      if (!account.busy && !account.isEdited && spareOf(account) >= quota) {
        account.used += quota
        return undefined
      }
      return new Promise((resolve, reject) => {
        account.waiting.push({ want, resolve, reject })
        void refill(account)
      })
    },

    /** Ends a hold without a charge. */
    free(kind: AccountKind, id: number, quota: number): void {
      if (quota === 0) return
      const account = reserveOf(kind, id)
      account.used -= quota
      returnStale(account, quota)
    },

    /** Returns whether the reserve covers all open holds of a balance. */
    covers: (kind: AccountKind, id: number): boolean => !isShort(reserveOf(kind, id)),

    /**
     * Ends a hold with a charge. Returns the quota that was subtracted from the reserve in memory. The caller must
     * subtract the same quota from the rows.
     */
    spend(kind: AccountKind, id: number, { held, charged }: { held: number; charged: number }): number {
      const account = reserveOf(kind, id)
      account.used -= held
      const shrink = Math.min(charged, held, account.size)
      account.size -= shrink
      returnStale(account, held)
      return shrink
    },

    /** Restores the quota that `spend` removed, because the charge was not written. */
    restore(kind: AccountKind, id: number, shrink: number): void {
      if (shrink) reserveOf(kind, id).size += shrink
    },

    /** Sets all reserves to 0, because the epoch has ended and the reserves were released. */
    forget(): void {
      for (const account of reserves.values()) {
        account.size = 0
        account.isEdited = false
        account.quotaBeforeEdit = 0
        account.unknown = undefined
      }
    },

    /** Reserves the quota of open holds under the new epoch. After a failure, the next `giveBackIdle` retries. */
    async cover(): Promise<void> {
      const short = [...reserves.values()].filter((account) => !account.busy && isShort(account))
      for (const account of short) await refill(account)
    },

    /** Retries failed changes. Then gives back the unused quota of balances that no request has needed for `idleMs`. */
    async giveBackIdle(idleMs: number): Promise<void> {
      await recover()
      const before = performance.now() - idleMs
      const idle = [...reserves.entries()].filter(
        ([, { touchedMs, waiting, busy }]) => touchedMs <= before && !busy && waiting.length === 0,
      )
      await giveBackSpare(idle.map(([, account]) => account))
      for (const [key, { size, used, waiting, busy, unknown }] of idle) {
        // Keep a reserve in the map while it is being refilled, because a request may have arrived.
        if (size === 0 && used === 0 && waiting.length === 0 && !busy && !unknown) reserves.delete(key)
      }
    },

    /** Gives back the unused reserves of edited balances; without `ids`, of all balances of this kind. */
    async giveBackReserves(kind: AccountKind, ids?: readonly number[]): Promise<void> {
      const edited = [...reserves.values()].filter(
        (account) => account.kind === kind && (ids?.includes(account.id) ?? true),
      )
      // Mark the reserves first. A refill that is running may have read the balance before the edit.
      for (const account of edited) {
        account.isEdited = true
        account.quotaBeforeEdit = account.used
      }
      await giveBackSpare(edited)
    },
  }
}

export type Reserves = ReturnType<typeof createReserves>

import type { Knex } from 'knex'
import type { Database } from '../db/database.ts'
import { OutcomeUnknownError } from '../db/unavailable.ts'
import { inParts } from '../in-parts.ts'
import { AMPLE_FACTOR, lockAccount, quotaToAdd, reserveQuota, unreserve } from './accounts.ts'
import type { AccountKind, GroupDebts } from './balances.ts'
import { lockEpoch } from './nodes.ts'
import { reserveAtOnce, returnAtOnce } from './postgres-reserves.ts'
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
  const allReserves = new Map<string, Reserve>()
  let operations = 0

  function reserveOf(kind: AccountKind, id: number): Reserve {
    const key = `${kind}${id}`
    let reserve = allReserves.get(key)
    if (!reserve) {
      reserve = newReserve(kind, id)
      allReserves.set(key, reserve)
    }
    return reserve
  }

  /** Serves all requests that wait for a balance. After the end of an epoch, also reserves for open holds again. */
  async function refill(reserve: Reserve): Promise<void> {
    if (reserve.busy) return
    reserve.busy = true
    let canCover = true
    try {
      while (reserve.waiting.length > 0 || (isShort(reserve) && canCover)) {
        const batch = reserve.waiting.splice(0)
        try {
          const enlarged = await enlarge(reserve, batch)
          if (enlarged === undefined) reserve.waiting.unshift(...batch)
          else serve(reserve, batch, enlarged)
          // If the reserve is still short, the missing quota belongs to holds that are not open yet. The next call
          // checks again.
          if (enlarged !== undefined && isShort(reserve)) canCover = false
          // New requests wait until the edited reserve is given back.
          if (reserve.isEdited) break
        } catch (error) {
          canCover = false
          for (const { reject } of batch) reject(error)
        }
      }
    } finally {
      reserve.busy = false
    }
    if (reserve.isEdited) await giveBackEdited(reserve)
    if (reserve.waiting.length > 0) await refill(reserve)
  }

  /**
   * Reserves the quota of a batch. Returns undefined if a new epoch has begun or a reply was lost; the caller must then
   * retry.
   */
  async function enlarge(reserve: Reserve, batch: ReserveWaiter[]): Promise<Enlarged | undefined> {
    await resolveOutcome(reserve)
    const { kind, id } = reserve
    const spare = spareOf(reserve)
    const wants = batch.map(({ want }) => want)
    const wanted = wants.reduce((sum, { quota }) => sum + quota, 0)
    if (!reserve.isEdited && wanted <= spare) {
      return { free: 0, grants: wants.map(({ quota }) => quota) }
    }
    const epoch = nodeId()
    const operation = ++operations
    const missing = Math.max(0, wanted - spare)
    let atOnce: number | undefined
    try {
      // Save the round trip if the balance was too small.
      if (reserve.lastFree >= missing * AMPLE_FACTOR)
        atOnce = await reserveAtOnce(db, epoch, { kind, id, quota: missing, operation })
    } catch (error) {
      if (!(error instanceof OutcomeUnknownError)) throw error
      reserve.unknown = { act: 'reserve', operation, quota: undefined, nodeId: epoch }
      return undefined
    }
    const reserved =
      atOnce === undefined
        ? await reserveInTransaction(reserve, { epoch, operation, spare, wants })
        : { free: atOnce, granted: atOnce, grants: wants.map(({ quota }) => quota) }
    if (reserved === undefined || epoch !== nodeId()) {
      await renew(epoch)
      return undefined
    }
    reserve.size += reserved.granted
    if (isShort(reserve)) onShort({ kind, id, covered: reserve.size })
    return { free: reserved.free - reserved.granted, grants: reserved.grants }
  }

  async function reserveInTransaction(
    reserve: Reserve,
    { epoch, operation, ...request }: { epoch: string; operation: number; spare: number; wants: readonly Want[] },
  ): ReturnType<typeof reserveQuota> {
    const { kind, id } = reserve
    let granted = 0
    try {
      return await db.transaction(async (trx) => {
        granted = 0
        const change = { nodeId: epoch, kind, id, operation, ...request, groupDebts: groupDebts() }
        const result = await reserveQuota(trx, change)
        granted = result?.granted ?? 0
        if (result) reserve.lastFree = result.free - granted
        return result
      })
    } catch (error) {
      // If quota was granted, all statements have succeeded and only the reply to COMMIT is missing.
      if (granted > 0) reserve.unknown = { act: 'reserve', operation, quota: granted, nodeId: epoch }
      throw error
    }
  }

  /** Queries whether a change with an unknown outcome took effect. Throws if the database does not reply. */
  async function resolveOutcome(reserve: Reserve): Promise<void> {
    const { unknown, kind, id } = reserve
    if (!unknown) return
    // If the epoch has ended, its reserves were released, so the outcome does not matter.
    if (unknown.nodeId === nodeId()) {
      const quota = await db.transaction((trx) => quotaToAdd(trx, { ...unknown, kind, id }))
      if (reserve.unknown !== unknown) return
      if (quota === undefined) await renew(unknown.nodeId)
      else reserve.size += quota
    }
    reserve.unknown = undefined
  }

  /** Gives back the unused quota that was reserved before the balance was edited. */
  async function giveBackEdited(reserve: Reserve): Promise<void> {
    try {
      await giveBackSpare([reserve])
    } catch {
      // The database is unavailable. `isEdited` stays true, so that `recover` or the next refill retries.
    }
  }

  /** Gives back the quota of an ended hold if the balance was edited since the hold began. */
  function returnStale(reserve: Reserve, held: number): void {
    if (reserve.quotaBeforeEdit === 0) return
    reserve.quotaBeforeEdit = Math.max(0, reserve.quotaBeforeEdit - held)
    reserve.isEdited = true
    if (!reserve.busy && !reserve.unknown) void giveBackEdited(reserve)
  }

  /** Gives back the quota that no open hold uses. */
  async function giveBackSpare(reserves: Reserve[]): Promise<void> {
    for (const reserve of reserves) {
      if (!reserve.busy && !reserve.unknown && spareOf(reserve) <= 0) reserve.isEdited = false
    }
    const returns = reserves.filter(canGiveBack).sort((a, b) => b.kind.localeCompare(a.kind) || a.id - b.id)
    // Check each part again, because a reserve may have become busy during the previous transaction.
    for (const part of inParts(returns, GIVE_BACK_MAX)) await giveBackPart(part.filter(canGiveBack))
  }

  async function giveBackPart(reserves: Reserve[]): Promise<void> {
    if (reserves.length === 0) return
    const epoch = nodeId()
    // Remove the quota from memory first, so that no hold can use it while the transaction runs.
    const returns = reserves.map((reserve) => {
      const quota = spareOf(reserve)
      const { isEdited } = reserve
      reserve.busy = true
      reserve.isEdited = false
      reserve.size -= quota
      return { reserve, quota, operation: ++operations, isEdited }
    })
    const changes = returns.map(({ reserve: { kind, id }, quota, operation }) => ({ kind, id, quota, operation }))
    let isWritten = false
    let isGiven = false
    try {
      const atOnce = await returnAtOnce(db, epoch, changes)
      const inTransaction = async (trx: Knex.Transaction): Promise<number | undefined> => {
        isWritten = false
        if (!(await lockEpoch(trx, epoch))) return undefined
        let sum = 0
        for (const change of changes) await lockAccount(trx, change)
        for (const change of changes) sum += await unreserve(trx, { nodeId: epoch, ...change })
        isWritten = true
        return sum
      }
      const removed = atOnce ?? (await db.transaction(inTransaction))
      isGiven = true
      // Begin a new epoch if the rows held less quota than the reserves in memory.
      if (removed !== returns.reduce((sum, { quota }) => sum + quota, 0)) await renew(epoch)
    } catch (error) {
      for (const { reserve, quota, operation, isEdited } of returns) {
        if (epoch !== nodeId()) continue
        reserve.isEdited ||= isEdited
        if (isWritten || error instanceof OutcomeUnknownError)
          reserve.unknown = { act: 'give-back', operation, quota, nodeId: epoch }
        else reserve.size += quota
      }
      throw error
    } finally {
      for (const reserve of reserves) {
        reserve.busy = false
        if (reserve.waiting.length > 0) void refill(reserve)
        else if (isGiven && reserve.isEdited) void giveBackEdited(reserve)
      }
    }
  }

  /** Retries writes that failed while the database was unavailable. */
  async function recover(): Promise<void> {
    for (const reserve of allReserves.values()) {
      if (reserve.busy) continue
      if (isShort(reserve)) await refill(reserve)
      else if (reserve.unknown) await resolveWhileBusy(reserve)
    }
    await giveBackSpare([...allReserves.values()].filter(({ isEdited }) => isEdited))
  }

  async function resolveWhileBusy(reserve: Reserve): Promise<void> {
    reserve.busy = true
    try {
      await resolveOutcome(reserve)
    } finally {
      reserve.busy = false
      if (reserve.waiting.length > 0) void refill(reserve)
    }
    if (reserve.isEdited) await giveBackEdited(reserve)
  }

  return {
    /**
     * Holds quota of a balance. Returns undefined if the whole quota was taken in memory. Otherwise resolves with the
     * held quota. Rejects with Shortage if the balance is too low.
     */
    take(kind: AccountKind, id: number, want: Want): Promise<number> | undefined {
      const { quota } = want
      if (quota === 0) return undefined
      const reserve = reserveOf(kind, id)
      reserve.touchedMs = performance.now()
      // While the reserve is busy, its quota belongs to the waiting requests. After an edit, only the row shows how
      // much is free.
      if (!reserve.busy && !reserve.isEdited && spareOf(reserve) >= quota) {
        reserve.used += quota
        return undefined
      }
      return new Promise((resolve, reject) => {
        reserve.waiting.push({ want, resolve, reject })
        void refill(reserve)
      })
    },

    /** Ends a hold without a charge. */
    free(kind: AccountKind, id: number, quota: number): void {
      if (quota === 0) return
      const reserve = reserveOf(kind, id)
      reserve.used -= quota
      returnStale(reserve, quota)
    },

    /** Returns whether the reserve covers all open holds of a balance. */
    covers: (kind: AccountKind, id: number): boolean => !isShort(reserveOf(kind, id)),

    /** Ends a hold with a charge. Returns the quota that the caller must subtract from the rows. */
    spend(kind: AccountKind, id: number, { held, charged }: { held: number; charged: number }): number {
      const reserve = reserveOf(kind, id)
      reserve.used -= held
      const shrink = Math.min(charged, held, reserve.size)
      reserve.size -= shrink
      returnStale(reserve, held)
      return shrink
    },

    /** Restores the quota that `spend` removed, because the charge was not written. */
    restore(kind: AccountKind, id: number, shrink: number): void {
      if (shrink) reserveOf(kind, id).size += shrink
    },

    /** Sets all reserves to 0, because the epoch has ended and the reserves were released. */
    forget(): void {
      for (const reserve of allReserves.values()) {
        reserve.size = 0
        reserve.isEdited = false
        reserve.quotaBeforeEdit = 0
        reserve.unknown = undefined
      }
    },

    /** Reserves the quota of open holds under the new epoch. After a failure, the next `giveBackIdle` retries. */
    async cover(): Promise<void> {
      const short = [...allReserves.values()].filter((reserve) => !reserve.busy && isShort(reserve))
      for (const reserve of short) await refill(reserve)
    },

    /** Retries failed changes. Then gives back the unused quota of balances that no request has needed for `idleMs`. */
    async giveBackIdle(idleMs: number): Promise<void> {
      await recover()
      const before = performance.now() - idleMs
      const idle = [...allReserves.entries()].filter(
        ([, { touchedMs, waiting, busy }]) => touchedMs <= before && !busy && waiting.length === 0,
      )
      await giveBackSpare(idle.map(([, reserve]) => reserve))
      for (const [key, { size, used, waiting, busy, unknown }] of idle) {
        // Keep a reserve in the map while it is being refilled, because a request may have arrived.
        if (size === 0 && used === 0 && waiting.length === 0 && !busy && !unknown) allReserves.delete(key)
      }
    },

    /** Gives back the unused reserves of edited balances; without `ids`, of all balances of this kind. */
    async giveBackReserves(kind: AccountKind, ids?: readonly number[]): Promise<void> {
      const edited = [...allReserves.values()].filter(
        (reserve) => reserve.kind === kind && (ids?.includes(reserve.id) ?? true),
      )
      // Mark the reserves first. A refill that is running may have read the balance before the edit.
      for (const reserve of edited) {
        reserve.isEdited = true
        reserve.quotaBeforeEdit = reserve.used
      }
      await giveBackSpare(edited)
    },
  }
}

function serve(reserve: Reserve, batch: ReserveWaiter[], { free, grants }: Enlarged): void {
  for (const [at, { resolve, reject }] of batch.entries()) {
    const grant = grants[at]
    if (grant !== undefined && spareOf(reserve) >= grant) {
      takeFrom(reserve, grant)
      resolve(grant)
    } else reject(new Shortage(Math.max(0, free + spareOf(reserve))))
  }
}

export type Reserves = ReturnType<typeof createReserves>

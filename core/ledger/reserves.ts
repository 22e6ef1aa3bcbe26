import type { Database } from '../db/database.ts'
import { reserve, unreserve } from './accounts.ts'
import type { AccountKind } from './balances.ts'

/** What this process has set aside of one balance (`size`) and how much of that open holds use. */
interface Reserve {
  readonly kind: AccountKind
  readonly id: number
  size: number
  used: number
  touchedMs: number
  waiting: { quota: number; resolve: () => void; reject: (reason: unknown) => void }[]
  refilling: boolean
  /** The balance was edited while the reserve was being refilled. */
  outdated: boolean
}

/** Not enough was free: `free` is what the balance had left for new holds. */
export class Shortage extends Error {
  constructor(readonly free: number) {
    super('shortage')
  }
}

/**
 * The part of each balance that this process may spend without asking. A hold that fits is taken in memory; one that
 * does not waits for one conditional UPDATE, together with all that wait for the same balance. Since every quota that a
 * process gives out was first taken from the row, any number of processes can share a balance and never spend it twice.
 */
export function createReserves({
  db,
  nodeId,
  revive,
}: {
  db: Database
  nodeId: () => string
  /** Puts this process back on the list, under another id, after it was taken for dead. */
  revive: () => Promise<unknown>
}) {
  const reserves = new Map<string, Reserve>()

  function find(kind: AccountKind, id: number): Reserve {
    const key = `${kind}${id}`
    let found = reserves.get(key)
    if (!found) {
      found = { kind, id, size: 0, used: 0, touchedMs: 0, waiting: [], refilling: false, outdated: false }
      reserves.set(key, found)
    }
    return found
  }

  async function refill(account: Reserve): Promise<void> {
    account.refilling = true
    try {
      while (account.waiting.length) {
        const batch = account.waiting.splice(0)
        let free = 0
        try {
          const spare = account.size - account.used
          const wants = batch.map(({ quota }) => quota)
          if (wants.reduce((sum, want) => sum + want) > spare) {
            const { kind, id } = account
            const reserving = nodeId()
            const got = await db.transaction((trx) => reserve(trx, { nodeId: reserving, kind, id, spare, wants }))
            if (got === undefined || reserving !== nodeId()) {
              if (reserving === nodeId()) await revive()
              account.waiting.unshift(...batch)
              continue
            }
            account.size += got.granted
            free = got.free - got.granted
          }
        } catch (error) {
          for (const { reject } of batch) reject(error)
          continue
        }
        for (const { quota, resolve, reject } of batch) {
          if (account.size - account.used >= quota) {
            account.used += quota
            resolve()
          } else reject(new Shortage(Math.max(0, free + account.size - account.used)))
        }
      }
    } finally {
      account.refilling = false
    }
    if (account.outdated) await giveBackEdited(account)
  }

  /** What came out of a balance before its edit goes back after all. */
  async function giveBackEdited(account: Reserve): Promise<void> {
    account.outdated = false
    try {
      await giveBackSpare([account])
    } catch {
      account.outdated = true // The database is away; after the next refill it is tried again.
    }
  }

  /** Gives back what no open hold uses. */
  async function giveBackSpare(accounts: Reserve[]): Promise<void> {
    const returns = accounts
      .map((account) => ({ account, quota: account.size - account.used }))
      .filter(({ quota }) => quota > 0)
      .sort((a, b) => b.account.kind.localeCompare(a.account.kind) || a.account.id - b.account.id)
    if (returns.length === 0) return
    const giving = nodeId()
    // Taken out of memory before the rows get it: in between, nobody can use it.
    for (const { account, quota } of returns) account.size -= quota
    try {
      await db.transaction(async (trx) => {
        for (const { account, quota } of returns) {
          await unreserve(trx, { nodeId: giving, kind: account.kind, id: account.id, quota })
        }
      })
    } catch (error) {
      if (giving === nodeId()) for (const { account, quota } of returns) account.size += quota
      throw error
    }
  }

  return {
    /** Holds a part of a balance. Rejects with Shortage when it is not there. */
    take(kind: AccountKind, id: number, quota: number): Promise<void> | undefined {
      if (quota === 0) return undefined
      const account = find(kind, id)
      account.touchedMs = Date.now()
      // While the reserve is being refilled, what is in it is spoken for.
      if (!account.refilling && account.size - account.used >= quota) {
        account.used += quota
        return undefined
      }
      return new Promise((resolve, reject) => {
        account.waiting.push({ quota, resolve, reject })
        if (!account.refilling) void refill(account)
      })
    },

    /** Ends a hold that is not charged. */
    free(kind: AccountKind, id: number, quota: number): void {
      if (quota) find(kind, id).used -= quota
    },

    /** Ends a hold that is charged. Answers how much the reserve shrinks by: the row's held quota must shrink as much. */
    spend(kind: AccountKind, id: number, { held, charged }: { held: number; charged: number }): number {
      const account = find(kind, id)
      account.used -= held
      const shrink = Math.min(charged, held, account.size)
      account.size -= shrink
      return shrink
    },

    /** Takes back what `spend` gave away for a charge that was in the books already. */
    restore(kind: AccountKind, id: number, shrink: number): void {
      if (shrink) find(kind, id).size += shrink
    },

    /** Forgets all that was set aside: this process was taken for dead, and the rows have it back. */
    forget(): void {
      for (const account of reserves.values()) account.size = 0
    },

    /** Gives back what no open hold uses and nobody asked for since `idleMs` ago. */
    async giveBack(idleMs: number): Promise<void> {
      const before = Date.now() - idleMs
      const idle = [...reserves.entries()].filter(
        ([, { touchedMs, waiting, refilling }]) => touchedMs <= before && !refilling && waiting.length === 0,
      )
      await giveBackSpare(idle.map(([, account]) => account))
      for (const [key, { size, used, waiting, refilling }] of idle) {
        // Somebody may have come for it meanwhile: what is being refilled must stay where the others find it.
        if (size === 0 && used === 0 && waiting.length === 0 && !refilling) reserves.delete(key)
      }
    },

    /** Gives back what no open hold uses of balances that were edited, of all of that kind without `ids`. */
    async reconsider(kind: AccountKind, ids?: readonly number[]): Promise<void> {
      const edited = [...reserves.values()].filter(
        (account) => account.kind === kind && (ids?.includes(account.id) ?? true),
      )
      // A refill may have read the balance before the edit, and not have heard the answer yet.
      for (const account of edited) account.outdated = account.refilling
      await giveBackSpare(edited.filter(({ refilling }) => !refilling))
    },
  }
}

export type Reserves = ReturnType<typeof createReserves>

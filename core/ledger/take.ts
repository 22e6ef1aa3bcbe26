import { withinDatabaseWait } from '../db/unavailable.ts'
import { GatewayError } from '../errors.ts'
import type { Ready } from '../ready.ts'
import type { AccountKind } from './balances.ts'
import { type Reserves, Shortage } from './reserves.ts'
import { leastOf, type Want } from './want.ts'

/** The balances behind a hold. */
export interface Accounts {
  readonly userId: number
  /** 0: the hold uses no token budget. */
  readonly budgetTokenId: number
}

/** Takes quota from the reserves of a balance and a token's budget together, and frees it. */
export interface Taker {
  /**
   * Returns the quota taken of both: not a promise if it is in memory already. Rejects with INSUFFICIENT_QUOTA or
   * INSUFFICIENT_TOKEN_QUOTA.
   */
  take(want: Accounts & Want): Ready<number>
  free(taken: Accounts & Pick<Want, 'quota'>): void
}

export function createTaker(reserves: Reserves): Taker {
  /** Resolves with the quota taken; undefined: all of it, taken from memory. */
  function takeOf(kind: AccountKind, id: number, want: Want): Promise<number> | undefined {
    const taking = reserves.take(kind, id, want)
    if (!taking) return undefined
    // Free quota that arrives after the caller's rejection.
    return withinDatabaseWait(taking, { late: (granted) => reserves.free(kind, id, granted) }).catch((error) => {
      if (!(error instanceof Shortage)) throw error
      const code = kind === 'user' ? 'INSUFFICIENT_QUOTA' : 'INSUFFICIENT_TOKEN_QUOTA'
      throw new GatewayError(code, { needed: leastOf(want), available: error.free })
    })
  }

  /**
   * Takes the same quota from the token's budget as from the user's balance; frees the user's part that the budget does not
   * cover.
   */
  function takeOfToken({ userId, budgetTokenId, flexible }: Accounts & Want, ofUser: number): Ready<number> {
    const taking = takeOf('token', budgetTokenId, { quota: ofUser, flexible })
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

  return {
    take(want) {
      const { userId, budgetTokenId, quota, flexible } = want
      const taking = takeOf('user', userId, { quota, flexible })
      if (!taking) return budgetTokenId ? takeOfToken(want, quota) : quota
      return budgetTokenId ? taking.then((ofUser) => takeOfToken(want, ofUser)) : taking
    },
    free({ userId, budgetTokenId, quota }) {
      reserves.free('user', userId, quota)
      if (budgetTokenId) reserves.free('token', budgetTokenId, quota)
    },
  }
}

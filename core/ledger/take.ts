import { withinDatabaseWait } from '../db/unavailable.ts'
import { GatewayError } from '../errors.ts'
import type { Ready } from '../ready.ts'
import type { AccountKind } from './balances.ts'
import { type Reserves, Shortage } from './reserves.ts'
import { leastOf, type Want } from './want.ts'

/** The balances that a hold uses. */
export interface HoldAccounts {
  readonly userId: number
  /** Id of the token whose budget is used, or 0 if no budget is used. */
  readonly budgetTokenId: number
}

/** Takes quota from a user's balance and a token's budget together, and frees this quota later. */
export function createTaker(reserves: Reserves) {
  /** Takes quota from one balance. Returns undefined if the reserve in memory suffices, else the granted quota. */
  function takeOf(kind: AccountKind, id: number, want: Want): Promise<number> | undefined {
    const taking = reserves.take(kind, id, want)
    if (!taking) return undefined
    // If the quota is granted after the wait has ended with an error, `late` frees the quota.
    return withinDatabaseWait(taking, { late: (granted) => reserves.free(kind, id, granted) }).catch((error) => {
      if (!(error instanceof Shortage)) throw error
      const code = kind === 'user' ? 'INSUFFICIENT_QUOTA' : 'INSUFFICIENT_TOKEN_QUOTA'
      throw new GatewayError(code, { needed: leastOf(want), available: error.free })
    })
  }

  /**
   * Takes quota from the token's budget: at most `ofUser`, the quota that was taken from the user's balance. Frees the
   * user's quota that the budget does not cover.
   */
  function takeOfToken({ userId, budgetTokenId, flexible }: HoldAccounts & Want, ofUser: number): Ready<number> {
    const taking = takeOf('token', budgetTokenId, { quota: ofUser, flexible })
    return taking ? limitToToken(taking, { userId, ofUser }) : ofUser
  }

  async function limitToToken(
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
    /**
     * Takes the same quota from the user's balance and the token's budget, or only from the balance if `budgetTokenId`
     * is
     * 0. Returns the quota if the reserves in memory suffice, otherwise a promise. Rejects with INSUFFICIENT_QUOTA,
     * INSUFFICIENT_TOKEN_QUOTA or DATABASE_UNAVAILABLE.
     */
    take(want: HoldAccounts & Want): Ready<number> {
      const { userId, budgetTokenId, quota, flexible } = want
      const taking = takeOf('user', userId, { quota, flexible })
      if (!taking) return budgetTokenId ? takeOfToken(want, quota) : quota
      return budgetTokenId ? taking.then((ofUser) => takeOfToken(want, ofUser)) : taking
    },
    /** Gives the quota of an ended hold back to the reserves in memory. */
    free({ userId, budgetTokenId, quota }: HoldAccounts & Pick<Want, 'quota'>): void {
      reserves.free('user', userId, quota)
      if (budgetTokenId) reserves.free('token', budgetTokenId, quota)
    },
  }
}

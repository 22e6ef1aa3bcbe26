/** Deposit of each request into the budget of its upstream, and maximum balance. */
const DEPOSIT = 0.1
const BALANCE_MAX = 10

/**
 * Limits retries at failing upstreams to one per ten requests, after ten free retries. So a dead upstream gets about
 * 1.1 attempts per request, even if many channels use it.
 */
export class RetryBudgets {
  /** Balances below the maximum, by origin. */
  private readonly balances = new Map<string, number>()

  /** Adds to the budget. Called when a request first uses an upstream. */
  deposit(origin: string): void {
    const balance = this.balances.get(origin)
    if (balance === undefined) return
    // A full budget is not stored: an upstream without an entry has the maximum.
    if (balance + DEPOSIT >= BALANCE_MAX) this.balances.delete(origin)
    else this.balances.set(origin, balance + DEPOSIT)
  }

  /** Returns whether the budget of an upstream allows a retry. */
  affords(origin: string): boolean {
    return (this.balances.get(origin) ?? BALANCE_MAX) >= 1
  }

  spend(origin: string): void {
    this.balances.set(origin, (this.balances.get(origin) ?? BALANCE_MAX) - 1)
  }
}

/** What each request adds to the budget of the upstream that it asks, and what can be saved up. */
const DEPOSIT = 0.1
const BALANCE_MAX = 10

/**
 * How many further attempts an upstream that fails may be given: one for ten requests, and ten at first. However many
 * channels lead to it, a dead upstream so sees 1.1 attempts for each request.
 */
export class RetryBudgets {
  /** Those below their maximum. */
  private readonly balances = new Map<string, number>()

  /** A request asks an upstream for the first time. */
  deposit(origin: string): void {
    const balance = this.balances.get(origin)
    if (balance === undefined) return
    // A full one is not kept: whoever is not here has all of it.
    if (balance + DEPOSIT >= BALANCE_MAX) this.balances.delete(origin)
    else this.balances.set(origin, balance + DEPOSIT)
  }

  affords(origin: string): boolean {
    return (this.balances.get(origin) ?? BALANCE_MAX) >= 1
  }

  spend(origin: string): void {
    this.balances.set(origin, (this.balances.get(origin) ?? BALANCE_MAX) - 1)
  }
}

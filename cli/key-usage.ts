import { UNLIMITED } from '../core/wallet/billing.ts'
import type { Cli } from './cli.ts'
import { hasFields } from './remote/guards.ts'

/** Budget and usage of an API key, as the gateway's billing API reports them. */
export interface KeyUsage {
  /** Budget in dollars, or in quota if the gateway does not show currency; undefined means unlimited. */
  limit: number | undefined
  /** Used part of the budget, in the unit of `limit`. */
  used: number
  /** Remaining budget, in the unit of `limit`; undefined means unlimited. */
  left: number | undefined
  in_currency: boolean
  /** Expiry in unix seconds; 0 if the key never expires. */
  access_until: number
}

/**
 * Reads the usage of a key. The call needs no other credential. Throws TOKEN_INVALID, TOKEN_EXPIRED, TOKEN_DISABLED,
 * TOKEN_EXHAUSTED, and the client's errors.
 */
export async function usageOfKey(cli: Cli, key: string): Promise<KeyUsage> {
  const target = await cli.target({ anonymous: true })
  return target.kind === 'remote' ? remoteUsage(cli, target.server.url, key) : localUsage(cli, key)
}

async function localUsage(cli: Cli, key: string): Promise<KeyUsage> {
  const [{ toolkit }, local, { budgetOfKey }] = await Promise.all([
    cli.open(),
    cli.openLocal(),
    import('./local/key-budget.ts'),
  ])
  const budget = await budgetOfKey(local.toolkit, key)
  const { inCurrency } = await toolkit.display()
  return usageOf(budget, inCurrency)
}

const SUBSCRIPTION = hasFields<{ hard_limit_usd: number; access_until: number }>('hard_limit_usd', 'access_until')
const USAGE = hasFields<{ total_usage: number }>('total_usage')
const STATUS = hasFields<{ display_in_currency: boolean }>('display_in_currency')

async function remoteUsage(cli: Cli, url: string, key: string): Promise<KeyUsage> {
  const client = await cli.clientOf({ url })
  const headers = { authorization: `Bearer ${key}` }
  const billing = 'GET /v1/dashboard/billing'
  const subscription = await client.readWhole(SUBSCRIPTION, `${billing}/subscription`, { headers })
  const usage = await client.readWhole(USAGE, `${billing}/usage`, { headers })
  const { data } = await client.ask('GET /api/status')
  const status = await client.checked(STATUS, data, 'GET /api/status')
  // `total_usage` is in hundredths.
  const used = usage.total_usage / 100
  const { hard_limit_usd: limit, access_until: accessUntil } = subscription
  return usageOf({ limit, used, accessUntil }, status.display_in_currency)
}

/** The amounts are in dollars, or in quota if the gateway does not show currency. */
interface KeyBudget {
  limit: number
  used: number
  accessUntil: number
}

function usageOf({ limit, used, accessUntil }: KeyBudget, inCurrency: boolean): KeyUsage {
  // The amount `UNLIMITED` means "no limit" only in dollars. In quota, the same number is a normal amount.
  const isLimited = !(inCurrency && limit === UNLIMITED)
  return {
    limit: isLimited ? roundAmount(limit) : undefined,
    used: roundAmount(used),
    left: isLimited ? roundAmount(limit - used) : undefined,
    in_currency: inCurrency,
    access_until: accessUntil,
  }
}

/** Rounds to millionths, which is finer than one quota, to remove floating-point noise. */
function roundAmount(amount: number): number {
  return Math.round(amount * 1e6) / 1e6
}

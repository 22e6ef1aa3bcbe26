import type { Options } from '../options/options.ts'
import { OPTIONS } from '../options/registry.ts'
import type { QuotaDisplay } from './texts.ts'

/** Returns the current options for displaying quota. */
export function quotaDisplay(options: Pick<Options, 'get'>): QuotaDisplay {
  return {
    inCurrency: options.get(OPTIONS.DisplayInCurrencyEnabled),
    quotaPerUnit: options.get(OPTIONS.QuotaPerUnit),
  }
}

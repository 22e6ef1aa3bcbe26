import { type ListedPrice, PER_CALL, type PriceDetail } from '../../api/pricing.ts'

const MILLION = 1_000_000

/** What a model costs somebody, in dollars. */
export type Price =
  | { perCall: number }
  | {
      /** For a million tokens each. */
      prompt: number
      completion: number
      cached: number | undefined
    }

interface Terms {
  groupRatio: number
  /** Quota that is worth a dollar: at 500 000, a ratio of 1 is two dollars for a million tokens. */
  quotaPerUnit: number
  detail?: Pick<PriceDetail, 'cache_ratio'> | undefined
}

export function priceOf(
  { quota_type, model_price, model_ratio, completion_ratio }: ListedPrice,
  { groupRatio, quotaPerUnit, detail }: Terms,
): Price {
  if (quota_type === PER_CALL) return { perCall: model_price * groupRatio }
  const prompt = model_ratio * (MILLION / quotaPerUnit) * groupRatio
  return { prompt, completion: prompt * completion_ratio, cached: detail && prompt * detail.cache_ratio }
}

/** Two decimals, and up to six for what is cheap: nothing is shown as free that is not. */
export function formatPrice(dollars: number): string {
  return `$${dollars.toLocaleString('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 6 })}`
}

export interface PriceFilters extends Record<string, string> {
  keyword: string
  /** A billing type; empty is both. */
  type: string
  /** `yes`: those that the group is served. */
  mine: string
}

export function matching(prices: readonly ListedPrice[], { keyword, type, mine }: PriceFilters, group: string) {
  const wanted = keyword.toLowerCase()
  return prices.filter(
    ({ model_name, quota_type, enable_groups }) =>
      model_name.toLowerCase().includes(wanted) &&
      (type === '' || String(quota_type) === type) &&
      (mine === '' || enable_groups.includes(group)),
  )
}

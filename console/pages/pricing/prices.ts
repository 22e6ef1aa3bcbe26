import { type ListedPrice, PER_CALL, type PriceDetail } from '../../api/pricing.ts'
import { modalityOf, providerOf } from './catalog.ts'

const MILLION = 1_000_000

/** The price of a model in one group, in dollars. */
export type GroupPrice =
  | { perCall: number }
  | {
      /** Dollars per million tokens of each kind. */
      prompt: number
      completion: number
      /** Price of cached prompt tokens; undefined if unknown. */
      cached: number | undefined
    }

interface PriceFactors {
  groupRatio: number
  /** Quota per dollar. With 500,000, a model ratio of 1 means two dollars per million tokens. */
  quotaPerUnit: number
  detail?: Pick<PriceDetail, 'cache_ratio'> | undefined
}

export function modelPriceOf(
  { quota_type, model_price, model_ratio, completion_ratio }: ListedPrice,
  { groupRatio, quotaPerUnit, detail }: PriceFactors,
): GroupPrice {
  if (quota_type === PER_CALL) return { perCall: model_price * groupRatio }
  const prompt = model_ratio * (MILLION / quotaPerUnit) * groupRatio
  return { prompt, completion: prompt * completion_ratio, cached: detail && prompt * detail.cache_ratio }
}

/** Formats dollars with two to six decimals, so that a low price does not look free. */
export function formatPrice(dollars: number): string {
  return `$${dollars.toLocaleString('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 6 })}`
}

export interface PriceFilters extends Record<string, string> {
  keyword: string
  /** Billing type: `1` per call, `0` by usage; empty for any. */
  type: string
  /** If not empty, only models that the selected group may use match. */
  mine: string
  /** Provider of the model; empty for any. */
  provider: string
  /** Output modality of the model; empty for any. */
  modality: string
}

/** Returns the prices that match all filters. `group` is the name of the selected group. */
export function filterPrices(
  prices: readonly ListedPrice[],
  { keyword, type, mine, provider, modality }: PriceFilters,
  group: string,
) {
  const search = keyword.toLowerCase()
  return prices.filter(
    ({ model_name, quota_type, enable_groups }) =>
      model_name.toLowerCase().includes(search) &&
      (type === '' || String(quota_type) === type) &&
      (mine === '' || enable_groups.includes(group)) &&
      (provider === '' || providerOf(model_name) === provider) &&
      (modality === '' || modalityOf(model_name) === modality),
  )
}

export const SORTS = ['name', 'cheapest', 'dearest', 'context'] as const
export type PriceSort = (typeof SORTS)[number]

export const isSort = (text: string): text is PriceSort => SORTS.some((sort) => sort === text)

/**
 * Sorts the rows. In an order by price, models billed per call come last, because their prices cannot be compared with
 * prices per token.
 */
export function sortPrices<Row extends ListedPrice>(rows: readonly Row[], sort: PriceSort): Row[] {
  const byName = (a: Row, b: Row) => a.model_name.localeCompare(b.model_name)
  if (sort === 'name') return rows.toSorted(byName)
  if (sort === 'context') return rows.toSorted((a, b) => b.context_window - a.context_window || byName(a, b))
  const sign = sort === 'cheapest' ? 1 : -1
  return rows.toSorted(
    (a, b) => a.quota_type - b.quota_type || sign * (sortingPrice(a) - sortingPrice(b)) || byName(a, b),
  )
}

/** Returns the price for sorting, without group ratio and unit, which multiply all prices by the same factor. */
const sortingPrice = (row: ListedPrice): number => {
  const price = modelPriceOf(row, { groupRatio: 1, quotaPerUnit: 1 })
  return 'perCall' in price ? price.perCall : price.prompt
}

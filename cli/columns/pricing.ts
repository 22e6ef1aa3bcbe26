import type { PriceDetail } from '../../core/pricing/price-details.ts'
import type { PriceDifference } from '../../core/pricing/price-edit.ts'
import type { Column } from '../output/column.ts'

/** Price of a model, with amounts in dollars. An amount is null if the model has no price of that kind. */
interface DollarPrice extends PriceDetail {
  /** Dollars for a million prompt tokens. */
  input_usd: number | null
  /** Dollars for a million completion tokens. */
  output_usd: number | null
  /** Dollars for a call. */
  call_usd: number | null
}

const MILLION = 1_000_000
const BY_THE_CALL = 1
const DIGITS = 12
/** Sort value of models without a price: in ascending order, these models precede free models. */
const UNPRICED = -1

/** Adds the dollar amounts to a price. `ratio`: the group ratio by which the amounts are multiplied. */
export function priceRow(
  detail: PriceDetail,
  { quotaPerUnit, ratio }: { quotaPerUnit: number; ratio: number },
): DollarPrice {
  const { source, quota_type, model_ratio, completion_ratio, model_price } = detail
  const hasPrice = source !== 'none'
  const isPerCall = quota_type === BY_THE_CALL
  const input = ((model_ratio * MILLION) / quotaPerUnit) * ratio
  return {
    ...detail,
    input_usd: hasPrice && !isPerCall ? rounded(input) : null,
    output_usd: hasPrice && !isPerCall ? rounded(input * completion_ratio) : null,
    call_usd: isPerCall ? rounded(model_price * ratio) : null,
  }
}

/** Removes floating-point noise. */
function rounded(value: number): number {
  return Number(value.toPrecision(DIGITS))
}

const dollars = (amount: number | null) => (amount === null ? '-' : `$${Number(amount.toPrecision(4))}`)
const ratioText = ({ quota_type, source }: DollarPrice, value: number) =>
  quota_type === BY_THE_CALL || source === 'none' ? '-' : String(Number(value.toPrecision(6)))

export const PRICE_COLUMNS: readonly Column<DollarPrice>[] = [
  { name: 'model', value: ({ model_name }) => model_name, cut: true },
  {
    name: 'input',
    value: ({ input_usd }) => dollars(input_usd),
    sort: ({ input_usd }) => input_usd ?? UNPRICED,
    align: 'right',
  },
  {
    name: 'output',
    value: ({ output_usd }) => dollars(output_usd),
    sort: ({ output_usd }) => output_usd ?? UNPRICED,
    align: 'right',
  },
  {
    name: 'call',
    value: ({ call_usd }) => dollars(call_usd),
    sort: ({ call_usd }) => call_usd ?? UNPRICED,
    align: 'right',
  },
  { name: 'ratio', value: (row) => ratioText(row, row.model_ratio), align: 'right' },
  { name: 'completion', value: (row) => ratioText(row, row.completion_ratio), align: 'right' },
  { name: 'cache', value: (row) => ratioText(row, row.cache_ratio), detail: true },
  { name: 'cache-write', value: (row) => ratioText(row, row.cache_write_ratio), detail: true },
  {
    name: 'conditions',
    value: ({ conditions }) =>
      conditions.map(({ condition, ratio: factor }) => `${condition} × ${Number(factor.toPrecision(6))}`).join(', ') ||
      '-',
    detail: true,
  },
  {
    name: 'from',
    value: ({ source }, { label }) => label(source),
    tone: ({ source }) => (source === 'none' ? 'bad' : undefined),
  },
  { name: 'groups', value: ({ enable_groups }) => enable_groups.join(',') || '-', cut: true },
]

const numberOrDash = (value: number | undefined) => (value === undefined ? '-' : String(value))

export const DIFFERENCE_COLUMNS: readonly Column<PriceDifference>[] = [
  { name: 'model', value: ({ model }) => model, cut: true },
  { name: 'table', value: ({ table, condition }) => (condition ? `${table} ${condition}` : table) },
  { name: 'before', value: ({ before }) => numberOrDash(before), align: 'right' },
  { name: 'after', value: ({ after }) => numberOrDash(after), align: 'right' },
]

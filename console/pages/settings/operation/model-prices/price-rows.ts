import { formatJson, withMember } from '../../../../components/json-text.ts'
import { isRecord } from '../../../../records.ts'

/** The options with model prices, as JSON text. */
export interface PriceTexts {
  ModelPrice: string
  ModelRatio: string
  CompletionRatio: string
}

/** The price of one model, either in dollars per call or as ratios. */
export interface PriceRow {
  name: string
  price?: number
  ratio?: number
  completionRatio?: number
}

type Prices = Record<string, number>
const FIELDS = { price: 'ModelPrice', ratio: 'ModelRatio', completionRatio: 'CompletionRatio' } as const
const FIELD_NAMES = ['price', 'ratio', 'completionRatio'] as const

/** Returns one row per model in the texts, sorted by name. Undefined if a text is not a JSON object of numbers. */
export function priceRows(texts: PriceTexts): PriceRow[] | undefined {
  const rows = new Map<string, PriceRow>()
  for (const field of FIELD_NAMES) {
    const prices = pricesOf(texts[FIELDS[field]])
    if (!prices) return undefined
    for (const [name, value] of Object.entries(prices)) rows.set(name, { ...rows.get(name), name, [field]: value })
  }
  return [...rows.values()].toSorted((one, other) => one.name.localeCompare(other.name))
}

/** Returns the texts with this row's values for its model. Removes values that the row does not have. */
export function withRow(texts: PriceTexts, row: PriceRow): PriceTexts {
  const next = { ...texts }
  for (const field of FIELD_NAMES) {
    const text = texts[FIELDS[field]]
    const value = row[field]
    const previousValue = new Map(Object.entries(pricesOf(text) ?? {})).get(row.name)
    if (value !== previousValue)
      next[FIELDS[field]] = formatOrKeep(withMember(text, row.name, value?.toString()) ?? '{}')
  }
  return next
}

export const withoutRow = (texts: PriceTexts, name: string): PriceTexts => withRow(texts, { name })

/** Returns dollars per million prompt and completion tokens. Without a completion ratio, the second price is `$0`. */
export function pricesPerMillion({
  ratio,
  completionRatio = 0,
  quotaPerUnit,
}: {
  ratio: number
  completionRatio?: number | undefined
  /** Quota for one dollar. */
  quotaPerUnit: number
}) {
  const prompt = (ratio * 1_000_000) / quotaPerUnit
  return { prompt: dollars(prompt), completion: dollars(prompt * completionRatio) }
}

const formatOrKeep = (text: string): string => formatJson(text) ?? text

/** Parses a number of at least 0, also in a format such as `1e-7`. Returns undefined for any other text. */
export function parsePriceNumber(text: string): number | undefined {
  const number = Number(text)
  return text.trim() !== '' && Number.isFinite(number) && number >= 0 ? number : undefined
}

// Rounds to six decimals, because more decimals would show binary rounding errors.
const dollars = (amount: number): string => `$${Number(amount.toFixed(6))}`

function pricesOf(text: string): Prices | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return isPrices(value) ? value : undefined
  } catch {
    return undefined
  }
}

const isPrices = (value: unknown): value is Prices =>
  isRecord(value) && Object.values(value).every((price) => typeof price === 'number')

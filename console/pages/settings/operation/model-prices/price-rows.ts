import { formatJson, withMember } from '../../../../components/json-text.ts'

/** The options with model prices, as JSON text. */
export interface PriceTexts {
  ModelPrice: string
  ModelRatio: string
  CompletionRatio: string
}

/** The price of one model: dollars per call, or ratios. */
export interface PriceRow {
  name: string
  price?: number
  ratio?: number
  completionRatio?: number
}

type Prices = Record<string, number>
const FIELDS = { price: 'ModelPrice', ratio: 'ModelRatio', completionRatio: 'CompletionRatio' } as const
const FIELD_NAMES = ['price', 'ratio', 'completionRatio'] as const

/** Returns one row per model in any of the texts, sorted by name; `undefined` if a text has no valid prices. */
export function priceRows(texts: PriceTexts): PriceRow[] | undefined {
  const rows = new Map<string, PriceRow>()
  for (const field of FIELD_NAMES) {
    const prices = pricesOf(texts[FIELDS[field]])
    if (!prices) return undefined
    for (const [name, value] of Object.entries(prices)) rows.set(name, { ...rows.get(name), name, [field]: value })
  }
  return [...rows.values()].toSorted((one, other) => one.name.localeCompare(other.name))
}

/** Replaces the model's values in the texts with this row; removes values missing from the row. */
export function withRow(texts: PriceTexts, row: PriceRow): PriceTexts {
  const next = { ...texts }
  for (const field of FIELD_NAMES) {
    const text = texts[FIELDS[field]]
    const value = row[field]
    const before = new Map(Object.entries(pricesOf(text) ?? {})).get(row.name)
    if (value !== before) next[FIELDS[field]] = formatted(withMember(text, row.name, value?.toString()) ?? '{}')
  }
  return next
}

export const withoutRow = (texts: PriceTexts, name: string): PriceTexts => withRow(texts, { name })

/** Dollars per million prompt tokens and completion tokens; the latter is 0 while its ratio is unknown. */
export function pricesPerMillion({
  ratio,
  completionRatio = 0,
}: {
  ratio: number
  completionRatio?: number | undefined
}) {
  const prompt = ratio * 2
  return { prompt: dollars(prompt), completion: dollars(prompt * completionRatio) }
}

const formatted = (text: string): string => formatJson(text) ?? text

/** Parses a price in any number format; a row may show `1e-7`. */
export function numberOf(text: string): number | undefined {
  const number = Number(text)
  return text.trim() !== '' && Number.isFinite(number) && number >= 0 ? number : undefined
}

// Six decimals: more would show binary rounding errors.
const dollars = (amount: number): string => `$${Number(amount.toFixed(6))}`

function pricesOf(text: string): Prices | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return isPrices(value) ? value : undefined
  } catch {
    return undefined
  }
}

function isPrices(value: unknown): value is Prices {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  return Object.values(value).every((price) => typeof price === 'number')
}

import { laidOut, withMember } from '../../../../components/json-text.ts'

/** The options that hold the prices of models, as JSON texts. */
export interface PriceTexts {
  ModelPrice: string
  ModelRatio: string
  CompletionRatio: string
}

/** What one model costs: dollars a call, or ratios. */
export interface PriceRow {
  name: string
  price?: number
  ratio?: number
  completionRatio?: number
}

type Prices = Record<string, number>
const FIELDS = { price: 'ModelPrice', ratio: 'ModelRatio', completionRatio: 'CompletionRatio' } as const
const FIELD_NAMES = ['price', 'ratio', 'completionRatio'] as const

/** One row for each model that any of the texts names, by name; `undefined` when one of them is no JSON of prices. */
export function priceRows(texts: PriceTexts): PriceRow[] | undefined {
  const rows = new Map<string, PriceRow>()
  for (const field of FIELD_NAMES) {
    const prices = pricesOf(texts[FIELDS[field]])
    if (!prices) return undefined
    for (const [name, value] of Object.entries(prices)) rows.set(name, { ...rows.get(name), name, [field]: value })
  }
  return [...rows.values()].toSorted((one, other) => one.name.localeCompare(other.name))
}

/** The texts with this row in the place of the one of its name. What the row does not say, they do not say either. */
export function withRow(texts: PriceTexts, row: PriceRow): PriceTexts {
  const next = { ...texts }
  for (const field of FIELD_NAMES) {
    const text = texts[FIELDS[field]]
    const value = row[field]
    const before = new Map(Object.entries(pricesOf(text) ?? {})).get(row.name)
    if (value !== before) next[FIELDS[field]] = laid(withMember(text, row.name, value?.toString()) ?? '{}')
  }
  return next
}

export const withoutRow = (texts: PriceTexts, name: string): PriceTexts => withRow(texts, { name })

/** Dollars for a million tokens of the prompt, and of the completion: while its ratio is not known, that is 0. */
export function pricesPerMillion({
  ratio,
  completionRatio = 0,
}: {
  ratio: number
  completionRatio?: number | undefined
}) {
  const base = ratio * 2
  return { base: dollars(base), completion: dollars(base * completionRatio) }
}

const laid = (text: string): string => laidOut(text) ?? text

/** What was typed, in any spelling of a number that is a price; a row may show `1e-7`. */
export function numberOf(text: string): number | undefined {
  const number = Number(text)
  return text.trim() !== '' && Number.isFinite(number) && number >= 0 ? number : undefined
}

// To a millionth: below it binary fractions would show.
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

import { GatewayError } from '../errors.ts'
import type { OptionChange, OptionValue } from '../options/options.ts'

/** The options that hold prices, a table of models each. */
export const PRICE_TABLES = ['ModelPrice', 'ModelRatio', 'CompletionRatio', 'CacheRatio', 'CacheWriteRatio'] as const
export type PriceTable = (typeof PRICE_TABLES)[number]

/** New entries of a model; null removes one, what is absent stays. */
export interface PriceEdit {
  model: string
  entries: Partial<Record<PriceTable, number | null>>
}

/** One entry of a table that changes. */
export interface PriceDifference {
  model: string
  table: PriceTable
  before: number | undefined
  after: number | undefined
}

const MODEL_NAME_LENGTH_MAX = 200

/**
 * What the options become by these edits, and the entries that differ. A model that is sold by the token loses its price per
 * call, which would come first. Throws MODEL_NAME_INVALID.
 */
export function editPrices(
  options: readonly OptionValue[],
  edits: readonly PriceEdit[],
): { changes: OptionChange[]; differences: PriceDifference[] } {
  for (const { model } of edits) {
    if (model.trim() !== model || model === '' || model.length > MODEL_NAME_LENGTH_MAX || /\p{Cc}/u.test(model)) {
      throw new GatewayError('MODEL_NAME_INVALID', { max: MODEL_NAME_LENGTH_MAX })
    }
  }
  const differences: PriceDifference[] = []
  const changes = PRICE_TABLES.flatMap((table): OptionChange[] => {
    const was = options.find(({ key }) => key === table)?.value ?? '{}'
    // A map: a model may be called `__proto__`.
    const entries = new Map(Object.entries(JSON.parse(was) as Record<string, number>))
    const own = edits.flatMap((edit) => differenceIn(entries, table, edit))
    for (const { model, after } of own) {
      if (after === undefined) entries.delete(model)
      else entries.set(model, after)
    }
    differences.push(...own)
    return own.length === 0 ? [] : [{ key: table, value: JSON.stringify(Object.fromEntries(entries)), was }]
  })
  return { changes, differences }
}

function differenceIn(
  table: ReadonlyMap<string, number>,
  name: PriceTable,
  { model, entries }: PriceEdit,
): PriceDifference[] {
  const byToken = name === 'ModelPrice' && typeof entries.ModelRatio === 'number'
  const wanted = entries[name] === undefined && byToken ? null : entries[name]
  const [before, after] = [table.get(model), wanted ?? undefined]
  return wanted === undefined || before === after ? [] : [{ model, table: name, before, after }]
}

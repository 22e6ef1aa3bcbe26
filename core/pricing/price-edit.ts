import { GatewayError } from '../errors.ts'
import type { OptionChange, OptionValue } from '../options/options.ts'
import { readConditionRow } from './conditions.ts'

/** The options that contain prices by model. */
export const PRICE_TABLES = ['ModelPrice', 'ModelRatio', 'CompletionRatio', 'CacheRatio', 'CacheWriteRatio'] as const
/** The option with price conditions. */
const CONDITIONS = 'PriceConditions'
type PriceTableName = (typeof PRICE_TABLES)[number]

/** New entries of a model. null removes an entry. An absent entry does not change. */
export interface PriceEdit {
  model: string
  entries: Partial<Record<PriceTableName, number | null>>
  /** Factors by condition. null in place of the object removes all conditions of the model. */
  conditions?: Readonly<Record<string, number | null>> | null
}

/** One changed entry of a table. */
export interface PriceDifference {
  model: string
  table: PriceTableName | typeof CONDITIONS
  /** Present only if `table` is `PriceConditions`. */
  condition?: string
  before: number | undefined
  after: number | undefined
}

const MODEL_NAME_LENGTH_MAX = 200

/**
 * Returns the new option values after these edits, and the changed entries. Throws MODEL_NAME_INVALID.
 *
 * A price per call takes precedence over a price per token. An edit that sets a price per token therefore removes the
 * price per call.
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
    // Use a map, because a model may be named `__proto__`.
    const entries = new Map(Object.entries<number>(JSON.parse(was)))
    const changedEntries = edits.flatMap((edit) => differenceIn(entries, table, edit))
    for (const { model, after } of changedEntries) {
      if (after === undefined) entries.delete(model)
      else entries.set(model, after)
    }
    differences.push(...changedEntries)
    return changedEntries.length === 0 ? [] : [{ key: table, value: JSON.stringify(Object.fromEntries(entries)), was }]
  })
  const changed = editConditions(options, edits)
  if (changed) {
    changes.push(changed.change)
    differences.push(...changed.differences)
  }
  return { changes, differences }
}

function editConditions(
  options: readonly OptionValue[],
  edits: readonly PriceEdit[],
): { change: OptionChange; differences: PriceDifference[] } | undefined {
  const was = options.find(({ key }) => key === CONDITIONS)?.value ?? '{}'
  const entries = new Map(Object.entries<number>(JSON.parse(was)))
  const differences: PriceDifference[] = []
  for (const { model, conditions } of edits) {
    for (const [condition, wanted] of Object.entries(
      conditions === null ? conditionRemovals(entries, model) : (conditions ?? {}),
    )) {
      const row = `${condition}:${model}`
      const [before, after] = [entries.get(row), wanted ?? undefined]
      if (before === after) continue
      if (after === undefined) entries.delete(row)
      else entries.set(row, after)
      differences.push({ model, table: CONDITIONS, condition, before, after })
    }
  }
  if (differences.length === 0) return undefined
  return { change: { key: CONDITIONS, value: JSON.stringify(Object.fromEntries(entries)), was }, differences }
}

/** Returns an edit that removes every condition of a model. */
function conditionRemovals(entries: ReadonlyMap<string, number>, model: string): Record<string, null> {
  const rows = [...entries.keys()].flatMap((row) => readConditionRow(row) ?? [])
  return Object.fromEntries(rows.filter((row) => row.model === model).map(({ condition }) => [condition, null]))
}

function differenceIn(
  table: ReadonlyMap<string, number>,
  name: PriceTableName,
  { model, entries }: PriceEdit,
): PriceDifference[] {
  const byToken = name === 'ModelPrice' && typeof entries.ModelRatio === 'number'
  const wanted = entries[name] === undefined && byToken ? null : entries[name]
  const [before, after] = [table.get(model), wanted ?? undefined]
  return wanted === undefined || before === after ? [] : [{ model, table: name, before, after }]
}

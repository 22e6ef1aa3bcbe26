import { parseObject } from '../input.ts'
import { LOG_TYPE } from '../logs/log.ts'
import { loadLibrary } from '../pricing/library.ts'
import { BY_USAGE, findPrice, type PriceTables } from '../pricing/prices.ts'
import { priceTablesOf } from '../pricing/pricing.ts'
import type { PriceNote } from './report.ts'
import type { SourceRow } from './sources/source.ts'

/** Price of a model at the source: ratios per token (`modelRatio`, `completionRatio`), or dollars per call. */
interface SourcePrice {
  model: string
  group: string
  modelRatio?: number | undefined
  completionRatio?: number | undefined
  perCall?: number | undefined
}

/** Pattern of the ratios (model × group × completion) in one-api's log text, which no column contains. */
const RATIO_TEXT = /倍率[：:]\s*([\d.]+)\s*×\s*([\d.]+)(?:\s*×\s*([\d.]+))?/
const TOLERANCE = 1e-6

/** Returns the price that a log row contains, or undefined if it contains none. */
function priceInLog(row: SourceRow): SourcePrice | undefined {
  const model = String(row.model_name ?? '')
  if (model === '' || Number(row.type) !== LOG_TYPE.consumption) return undefined
  const base = { model, group: String(row.group ?? '') || 'default' }
  const other = parseObject(String(row.other ?? '')) ?? {}
  const number = (name: string) => (typeof other[name] === 'number' ? other[name] : undefined)
  const perCall = number('model_price')
  if (perCall !== undefined && perCall >= 0 && (perCall > 0 || !number('model_ratio'))) return { ...base, perCall }
  const modelRatio = number('model_ratio')
  if (modelRatio !== undefined) return { ...base, modelRatio, completionRatio: number('completion_ratio') }
  const [, ratio, , completion] = RATIO_TEXT.exec(String(row.content ?? '')) ?? []
  if (ratio === undefined) return undefined
  return {
    ...base,
    modelRatio: Number(ratio),
    completionRatio: completion === undefined ? undefined : Number(completion),
  }
}

/** Returns the models with another price here than at the source. `options` are the options after the import. */
export async function comparePrices(
  rows: readonly SourceRow[],
  options: ReadonlyMap<string, string>,
): Promise<PriceNote[]> {
  const prices = rows.map(priceInLog).filter((price) => price !== undefined)
  if (prices.length === 0) return []
  const library = await loadLibrary()
  const tables = tablesOf(options)
  return prices.flatMap((source): PriceNote[] => {
    const target = findPrice(tables, { model: source.model, group: source.group, library })
    if (!target) return [{ model: source.model, source: priceText(source), target: 'no price: requests are rejected' }]
    const gatewayPrice: SourcePrice =
      target.modelPrice === BY_USAGE
        ? { ...source, perCall: undefined, modelRatio: target.modelRatio, completionRatio: target.completionRatio }
        : { ...source, perCall: target.modelPrice, modelRatio: undefined, completionRatio: undefined }
    if (isSame(source, gatewayPrice)) return []
    return [{ model: source.model, source: priceText(source), target: priceText(gatewayPrice) }]
  })
}

function isSame(one: SourcePrice, other: SourcePrice): boolean {
  if (one.perCall !== undefined || other.perCall !== undefined) return isNear(one.perCall, other.perCall)
  // If a log row has no completion ratio, any completion ratio matches.
  const completion = one.completionRatio === undefined || isNear(one.completionRatio, other.completionRatio)
  return isNear(one.modelRatio, other.modelRatio) && completion
}

const isNear = (one = Number.NaN, other = Number.NaN): boolean => Math.abs(one - other) <= TOLERANCE * Math.max(1, one)

function priceText({ perCall, modelRatio, completionRatio }: SourcePrice): string {
  if (perCall !== undefined) return `$${perCall} per call`
  return `ratio ${modelRatio}${completionRatio === undefined ? '' : `, completion ${completionRatio}`}`
}

function tablesOf(options: ReadonlyMap<string, string>): PriceTables {
  return priceTablesOf((option) => {
    try {
      return option.parse(options.get(option.key) ?? option.default)
    } catch {
      return option.parse(option.default)
    }
  })
}

import { createHash } from 'node:crypto'
import { commaList } from '../input.ts'
import type { Options } from '../options/options.ts'
import { OPTIONS } from '../options/registry.ts'
import type { Option } from '../options/rows.ts'
import type { Ready } from '../ready.ts'
import { type LibraryLookup, loadLibrary } from './library.ts'
import { type OutputFacts, type OutputTables, outputFacts } from './output-facts.ts'
import { findPrice, type Price, type PriceTables } from './prices.ts'
import { highestToolPrice, type ToolSeller, toolPrice } from './tool-prices.ts'

const CACHED_MS = 1_800_000
const VERSION_LENGTH = 12
/** Maximum number of cached models, because requests can contain any model name. */
const CACHED_MAX = 5_000

export interface ModelLimits extends OutputFacts {
  readonly contextWindow: number | undefined
}

export type Pricing = ReturnType<typeof createPricing>

/** Returns the operator's tables. `get` returns the value of an option. */
export function priceTablesOf(get: <T>(option: Option<T>) => T): PriceTables {
  return {
    modelRatio: get(OPTIONS.ModelRatio),
    modelPrice: get(OPTIONS.ModelPrice),
    completionRatio: get(OPTIONS.CompletionRatio),
    cacheRatio: get(OPTIONS.CacheRatio),
    cacheWriteRatio: get(OPTIONS.CacheWriteRatio),
    groupRatio: get(OPTIONS.GroupRatio),
    priceConditions: get(OPTIONS.PriceConditions),
    defaultModelRatio: get(OPTIONS.DefaultModelRatio),
    quotaPerUnit: get(OPTIONS.QuotaPerUnit),
  }
}

export function createPricing({ options }: { options: Options }) {
  let tables: PriceTables | undefined
  let outputTables: OutputTables = { outputTokensMax: {}, plainModels: [] }
  const cachedLimits = new Map<string, ModelLimits>()
  let optionsVersion = -1
  let version = ''
  let library: LibraryLookup | undefined
  let loading: Promise<LibraryLookup> | undefined
  /** Cached prices. Cleared when tables change, and every half hour, because prices may depend on the time. */
  const cachedPrices = new Map<string, Price>()
  let cachedPeriod = 0

  function currentTables(): PriceTables {
    const period = Math.floor(Date.now() / CACHED_MS)
    if (!tables || optionsVersion !== options.version || cachedPeriod !== period) {
      cachedPrices.clear()
      cachedLimits.clear()
      cachedPeriod = period
      outputTables = {
        outputTokensMax: options.get(OPTIONS.OutputTokensMax),
        plainModels: commaList(options.get(OPTIONS.PlainModels)),
      }
      tables = priceTablesOf((option) => options.get(option))
      optionsVersion = options.version
      const listed = [tables, options.get(OPTIONS.ToolPrices)]
      version = createHash('sha256').update(JSON.stringify(listed)).digest('hex').slice(0, VERSION_LENGTH)
    }
    return tables
  }

  /** Loads the library on demand, because it is large and many commands do not need prices. */
  async function load(): Promise<LibraryLookup> {
    loading ??= loadLibrary().catch((error) => {
      loading = undefined
      throw error
    })
    return loading
  }

  function priceOf({ model, group }: { model: string; group: string }, loaded: LibraryLookup): Price | undefined {
    const table = currentTables()
    const key = `${group}\0${model}`
    const cached = cachedPrices.get(key)
    if (cached) return cached
    const price = findPrice(table, { model, group, library: loaded })
    if (cachedPrices.size >= CACHED_MAX) cachedPrices.clear()
    if (price) cachedPrices.set(key, price)
    return price
  }

  return {
    /** Returns the output facts and the context window of a model. The window is undefined until `find` loads it. */
    limits(model: string): ModelLimits {
      currentTables()
      const cached = cachedLimits.get(model)
      if (cached) return cached
      const contextWindow = library?.(model)?.contextWindow
      const limits = { ...outputFacts(model, { tables: outputTables, contextWindow }), contextWindow }
      if (cachedLimits.size >= CACHED_MAX) cachedLimits.clear()
      cachedLimits.set(model, limits)
      return limits
    },
    /** Returns the dollars per call of a hosted tool (`highest`: of its most expensive variant), or undefined. */
    toolPrice(tool: string, seller: ToolSeller, which?: 'highest'): number | undefined {
      const find = which === 'highest' ? highestToolPrice : toolPrice
      return find(options.get(OPTIONS.ToolPrices), tool, seller)
    },
    /** A digest of the operator's tables. Log rows contain it, so that rows with the same prices can be found. */
    get version(): string {
      currentTables()
      return version
    },
    /** Returns the price of a model for a group, or undefined if the model has no price. */
    find(request: { model: string; group: string }): Ready<Price | undefined> {
      if (library) return priceOf(request, library)
      return load().then((loaded) => {
        library = loaded
        return priceOf(request, loaded)
      })
    },
  }
}

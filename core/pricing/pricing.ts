import type { Options } from '../options/options.ts'
import { OPTIONS } from '../options/registry.ts'
import { type LibraryLookup, loadLibrary } from './library.ts'
import { findPrice, type Price, type PriceTables } from './prices.ts'

export interface Pricing {
  /** The price of a model for a group, or undefined when it has none. */
  find(request: { model: string; group: string }): Promise<Price | undefined>
  /** Changes when a price may have changed: a log row keeps it, so that rows of one price list can be told. */
  readonly version: number
  /** Groups that exist, with their ratios. */
  groups(): Readonly<Record<string, number>>
}

export function createPricing({ options }: { options: Options }): Pricing {
  let tables: PriceTables | undefined
  let version = -1
  let library: LibraryLookup | undefined
  let loading: Promise<LibraryLookup> | undefined

  function current(): PriceTables {
    if (!tables || version !== options.version) {
      tables = {
        modelRatio: options.get(OPTIONS.ModelRatio),
        modelPrice: options.get(OPTIONS.ModelPrice),
        completionRatio: options.get(OPTIONS.CompletionRatio),
        cacheRatio: options.get(OPTIONS.CacheRatio),
        cacheWriteRatio: options.get(OPTIONS.CacheWriteRatio),
        groupRatio: options.get(OPTIONS.GroupRatio),
        defaultModelRatio: options.get(OPTIONS.DefaultModelRatio),
        quotaPerUnit: options.get(OPTIONS.QuotaPerUnit),
      }
      version = options.version
    }
    return tables
  }

  /** Large, and a short-lived command that prices nothing does without it. */
  async function load(): Promise<LibraryLookup> {
    loading ??= loadLibrary().catch((error) => {
      loading = undefined
      throw error
    })
    return loading
  }

  return {
    get version() {
      return options.version
    },
    groups: () => current().groupRatio,
    async find(request) {
      library ??= await load()
      return findPrice(current(), { ...request, library })
    },
  }
}

import type { Ratios } from './defaults.ts'
import { ratioOf } from './names.ts'

const HALF_PRICE = ['gpt-4o', 'gpt-4.5', 'o1', 'o3-mini']

/**
 * Returns the price of a prompt token from the upstream's cache, as a multiple of the price of another prompt token.
 * The order is: the operator's entry, the library's ratio, the usual discount of the model's family, the full price.
 */
export function cacheRatio(model: string, table: Ratios, libraryRatio?: number): number {
  return ratioOf(table, model) ?? libraryRatio ?? customaryCacheRatio(model)
}

/** Like `cacheRatio`, for a token that is written to the cache. The default is 1.25 for Claude models, else 1. */
export function cacheWriteRatio(model: string, table: Ratios, libraryRatio?: number): number {
  return ratioOf(table, model) ?? libraryRatio ?? (model.includes('claude') ? 1.25 : 1)
}

function customaryCacheRatio(model: string): number {
  if (HALF_PRICE.some((start) => model.startsWith(start))) return 0.5
  if (/deepseek/i.test(model)) return 0.25
  return model.includes('claude') ? 0.1 : 1
}

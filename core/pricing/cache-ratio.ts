import type { Ratios } from './defaults.ts'
import { ratioOf } from './names.ts'

const HALF_PRICE = ['gpt-4o', 'gpt-4.5', 'o1', 'o3-mini']

/**
 * Returns the price of a prompt token that is read from the upstream's cache, in other prompt tokens. It is the operator's entry,
 * else the library's ratio (`known`), else the usual discount of the model's family, else the full price.
 */
export function cacheRatio(model: string, table: Ratios, known?: number): number {
  return ratioOf(table, model) ?? known ?? customaryCacheRatio(model)
}

/** Returns the price of a token that is written to the cache, like `cacheRatio`. By default, only Claude costs more than 1. */
export function cacheWriteRatio(model: string, table: Ratios, known?: number): number {
  return ratioOf(table, model) ?? known ?? (model.includes('claude') ? 1.25 : 1)
}

function customaryCacheRatio(model: string): number {
  if (HALF_PRICE.some((start) => model.startsWith(start))) return 0.5
  if (/deepseek/i.test(model)) return 0.25
  return model.includes('claude') ? 0.1 : 1
}

import type { Ratios } from './defaults.ts'

const GIZMO = /^gpt-4o?-gizmo/

/**
 * Maps `gpt-4-gizmo-g-abc` to `gpt-4-gizmo-*`: the names of custom models end in a random identifier, and one entry covers all of
 * them. Returns other names unchanged. Prices, ratios and the log use this name.
 */
export function pricedName(model: string): string {
  const start = GIZMO.exec(model)?.[0]
  return start ? `${start}-*` : model
}

/** Returns only own entries: a model may be named `constructor`. */
export function ownRatio(table: Ratios, name: string): number | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined
}

/** Returns the entry of the exact name, else that of its wildcard. */
export function ratioOf(table: Ratios, model: string): number | undefined {
  return ownRatio(table, model) ?? ownRatio(table, pricedName(model))
}

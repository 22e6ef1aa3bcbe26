import type { Ratios } from './defaults.ts'

const GIZMO = /^gpt-4o?-gizmo/

/**
 * `gpt-4-gizmo-g-abc` → `gpt-4-gizmo-*`: the names of customised models end in a random identifier, and one entry
 * stands for all of them. Any other name is its own. Price, ratios and log all go by this name.
 */
export function pricedName(model: string): string {
  const start = GIZMO.exec(model)?.[0]
  return start ? `${start}-*` : model
}

/** An entry of the table's own: a model that calls itself `constructor` has none. */
export function ownRatio(table: Ratios, name: string): number | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined
}

/** The entry of this very name, else that of its wildcard. */
export function ratioOf(table: Ratios, model: string): number | undefined {
  return ownRatio(table, model) ?? ownRatio(table, pricedName(model))
}

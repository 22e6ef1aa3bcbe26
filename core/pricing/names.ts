import type { Ratios } from './defaults.ts'

const GIZMO = /^gpt-4o?-gizmo/

/**
 * Returns the name under which a model is priced and logged. Names of custom GPTs end in a random id and share one
 * price, so `gpt-4-gizmo-g-abc` becomes `gpt-4-gizmo-*`. Other names do not change.
 */
export function pricedName(model: string): string {
  const start = GIZMO.exec(model)?.[0]
  return start ? `${start}-*` : model
}

/** Returns the entry of a name. Ignores inherited properties, because a model may be named `constructor`. */
export function ownRatio(table: Ratios, name: string): number | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined
}

/** Returns whether a model has a name. A `*` at the end of the name matches any suffix. */
export function matchesName(model: string, name: string): boolean {
  return name.endsWith('*') ? model.startsWith(name.slice(0, -1)) : model === name
}

/** Returns the entry of a model's exact name, else of its priced name. */
export function ratioOf(table: Ratios, model: string): number | undefined {
  return ownRatio(table, model) ?? ownRatio(table, pricedName(model))
}

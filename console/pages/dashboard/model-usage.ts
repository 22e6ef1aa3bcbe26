import type { UsageRow } from '../../api/usage.ts'

export interface ModelUsage {
  model: string
  count: number
  tokens: number
  quota: number
}

/** So many models are shown by themselves. */
export const MODELS_MAX = 8

/**
 * Sums the hours of each model, the dearest first. Past `max` models the rest is one last sum, so that the totals stay
 * whole.
 */
export function usageByModel(rows: readonly UsageRow[], max: number): { models: ModelUsage[]; rest?: RestUsage } {
  const sums = new Map<string, ModelUsage>()
  for (const { model_name: model, count, token_used: tokens, quota } of rows) {
    sums.set(model, add(sums.get(model) ?? nothing(model), { count, tokens, quota }))
  }
  const sorted = [...sums.values()].sort((a, b) => b.quota - a.quota || b.count - a.count)
  const models = sorted.slice(0, max)
  const others = sorted.slice(max)
  if (others.length === 0) return { models }
  return { models, rest: { ...others.reduce(add, nothing('')), modelCount: others.length } }
}

interface RestUsage extends ModelUsage {
  modelCount: number
}

function nothing(model: string): ModelUsage {
  return { model, count: 0, tokens: 0, quota: 0 }
}

function add(sum: ModelUsage, { count, tokens, quota }: Omit<ModelUsage, 'model'>): ModelUsage {
  return { model: sum.model, count: sum.count + count, tokens: sum.tokens + tokens, quota: sum.quota + quota }
}

import { defined } from '../../../../core/records.ts'
import type { Reasoning } from '../../conversation/conversation.ts'
import type { Json } from '../../json.ts'

/** Splits a thinking suffix off a model name: `-thinking`, `-nothinking`, or a budget such as `-thinking-1024`. */
export function splitThinkingSuffix(model: string): { model: string; reasoning: Reasoning | undefined } {
  const match = /^(.+?)-(?:(nothinking)|thinking(?:-(\d{1,6}))?)$/.exec(model)
  if (!match?.[1]) return { model, reasoning: undefined }
  const [, baseModel, noThinking, budget] = match
  if (noThinking) return { model: baseModel, reasoning: { effort: 'none', budget: 0, visible: false } }
  return { model: baseModel, reasoning: { budget: budget === undefined ? -1 : Number(budget), visible: true } }
}

/**
 * Returns a model's generation (1, 1.5, 2, 2.5, 3 …), which determines its features. Most names without a number are
 * aliases of current models, such as `gemini-flash-latest`, and get 2.5.
 */
export function generationOf(model: string): number {
  const number = /gemini-(\d+(?:\.\d+)?)/.exec(model)?.[1]
  if (number) return Number(number)
  if (/^gemini-(pro|ultra)(-vision)?$/.test(model)) return 1
  return /gemini-exp|learnlm/.test(model) ? 2 : 2.5
}

/** Whether the model supports `systemInstruction`. Gemma and Gemini 1.0 reject it. */
export function supportsSystem(model: string): boolean {
  return !/gemma/.test(model) && generationOf(model) >= 1.5
}

/** Whether the model supports JSON Schema. Older models and API version `v1` accept only a subset of OpenAPI. */
export function supportsJsonSchema(model: string, version: string): boolean {
  return version !== 'v1' && generationOf(model) >= 2.5 && !/gemma/.test(model)
}

/** Whether the model requires the signatures of its earlier calls. */
export function requiresSignatures(model: string): boolean {
  return generationOf(model) >= 3
}

const BUDGETS = { none: 0, minimal: 512, low: 1024, medium: 8192, high: 24_576, xhigh: 32_768, max: 32_768 } as const
const LEVELS = {
  none: 'MINIMAL',
  minimal: 'MINIMAL',
  low: 'LOW',
  medium: 'MEDIUM',
  high: 'HIGH',
  xhigh: 'HIGH',
  max: 'HIGH',
} as const
const PRO_BUDGET_MIN = 128
const PRO_BUDGET_MAX = 32_768
const FLASH_BUDGET_MAX = 24_576

/**
 * Returns `thinkingConfig`, with a budget in tokens for generation 2.5, and a level from generation 3 on. Undefined if
 * the client sets nothing or the model does not support thinking. https://ai.google.dev/gemini-api/docs/thinking
 */
export function thinkingConfig(reasoning: Reasoning | undefined, model: string): Json | undefined {
  const generation = generationOf(model)
  if (!reasoning || generation < 2.5 || /gemma|image|tts/.test(model)) return undefined
  const { effort, budget } = reasoning
  const isOff = effort === 'none' || budget === 0
  const visible = reasoning.visible ?? !isOff
  const config = defined({
    ...(generation >= 3
      ? { thinkingLevel: levelFor(reasoning, model) }
      : { thinkingBudget: budgetFor(reasoning, model) }),
    includeThoughts: visible || undefined,
  })
  return Object.keys(config).length ? config : undefined
}

function budgetFor({ effort, budget }: Reasoning, model: string): number | undefined {
  const tokens = budget ?? (effort && BUDGETS[effort])
  if (tokens === undefined || tokens < 0) return tokens
  if (!/pro/.test(model)) return Math.min(tokens, FLASH_BUDGET_MAX)
  return Math.min(Math.max(tokens, PRO_BUDGET_MIN), PRO_BUDGET_MAX)
}

function levelFor({ effort, budget }: Reasoning, model: string): string | undefined {
  const closestEffort = effort ?? effortFor(budget)
  const level = closestEffort && LEVELS[closestEffort]
  return level === 'MINIMAL' && /pro/.test(model) ? 'LOW' : level
}

/** Returns the effort for a token budget. Undefined if the model decides. */
function effortFor(budget: number | undefined): 'none' | 'low' | 'medium' | 'high' | undefined {
  if (budget === undefined || budget < 0) return undefined
  if (budget === 0) return 'none'
  if (budget <= BUDGETS.low) return 'low'
  return budget <= BUDGETS.medium ? 'medium' : 'high'
}

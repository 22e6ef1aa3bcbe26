import type { Ratios } from './defaults.ts'
import { pricedName, ratioOf } from './names.ts'

/** Ratios by the family of a model. An entry of the operator, or a ratio of the library, takes precedence. */

/** Groq's prices of output divided by those of input, per million tokens. */
const GROQ = { llama2: 0.8 / 0.64, llama3: 0.79 / 0.59 }
const ERNIE_TWOFOLD = ['ERNIE-Speed-', 'ERNIE-Lite-', 'ERNIE-Character', 'ERNIE-Functions']

/** Rules by model name. `ratio` is the price of a completion token, in prompt tokens. The first match applies. */
const RULES: readonly (readonly [matches: (name: string) => boolean, ratio: (name: string) => number])[] = [
  [(name) => name.startsWith('gpt-4') && !name.endsWith('-all') && !name.endsWith('-gizmo-*'), gpt4],
  [(name) => name.startsWith('o1') || name.startsWith('o3'), () => 4],
  [(name) => name === 'chatgpt-4o-latest', () => 3],
  [(name) => name.includes('claude-instant-1') || name.includes('claude-2'), () => 3],
  [(name) => name.includes('claude-3'), () => 5],
  [(name) => name.startsWith('gpt-3.5'), gpt35],
  [(name) => name.startsWith('mistral-'), () => 3],
  [(name) => name.startsWith('gemini-'), () => 4],
  [(name) => name.startsWith('command'), command],
  [(name) => /^deepseek-(chat|reasoner)$/i.test(name), () => 4],
  [(name) => ERNIE_TWOFOLD.some((start) => name.startsWith(start)), () => 2],
  [(name) => name === 'llama2-70b-4096', () => GROQ.llama2],
  [(name) => name === 'llama3-8b-8192', () => 2],
  [(name) => name === 'llama3-70b-8192', () => GROQ.llama3],
]

function gpt4(name: string): number {
  if (name === 'gpt-4o-2024-05-13') return 3
  if (name.startsWith('gpt-4o')) return 4
  return name.startsWith('gpt-4-turbo') || name.endsWith('preview') ? 3 : 2
}

function gpt35(name: string): number {
  if (name === 'gpt-3.5-turbo' || name.endsWith('0125')) return 3
  return name.endsWith('1106') ? 2 : 4 / 3
}

function command(name: string): number {
  if (name === 'command-r') return 3
  return name === 'command-r-plus' ? 5 : 4
}

/** Returns the completion ratio of the model's family, or undefined if no rule matches the model. */
function builtInCompletionRatio(model: string): number | undefined {
  const name = pricedName(model)
  return RULES.find(([matches]) => matches(name))?.[1](name)
}

/**
 * Returns the price of a completion token, in prompt tokens of the same model. The order is: the operator's entry, the
 * library's ratio, the ratio of the model's family, 1.
 */
export function completionRatio(model: string, table: Ratios, libraryRatio?: number): number {
  return ratioOf(table, model) ?? libraryRatio ?? builtInCompletionRatio(model) ?? 1
}

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

/** Returns the price of an audio prompt token as a multiple of the price of a text prompt token. */
export function audioRatio(model: string): number {
  if (model.includes('-realtime')) return realtimeRatio(model)
  return model.includes('-audio') ? audioModelRatio(model) : 20
}

/** The price of an audio completion token as a multiple of the price of an audio prompt token. */
export const AUDIO_COMPLETION_RATIO = 2

function realtimeRatio(model: string): number {
  if (model.endsWith('gpt-4o-realtime-preview-2024-12-17')) return 8
  return model.includes('mini') ? 10 / 0.6 : 20
}

function audioModelRatio(model: string): number {
  if (model.endsWith('gpt-4o-audio-preview-2024-12-17')) return 16
  return model.includes('mini') ? 10 / 0.15 : 40
}

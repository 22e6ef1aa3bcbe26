import { isRecord } from '../records.ts'
import type { Ratios } from './defaults.ts'
import { matchesName, ownRatio } from './names.ts'
import type { Price } from './price.ts'

/**
 * Dollars per call of tools that upstreams run themselves, from the vendors' price lists. A request with a tool that
 * has no entry is rejected.
 *
 * - `tool:model*` applies to models with that prefix.
 * - `tool@type` applies to the channel type with that slug.
 * - `tool/variant` is a variant with another price.
 */
export const TOOL_PRICES: Ratios = {
  // https://platform.openai.com/docs/pricing
  web_search: 0.01,
  'web_search:gpt-4o-search-preview*': 0.025,
  'web_search:gpt-4o-mini-search-preview*': 0.025,
  web_search_preview: 0.01,
  'web_search_preview:gpt-4o*': 0.025,
  'web_search_preview:gpt-4.1*': 0.025,
  file_search: 0.0025,
  code_interpreter: 0.03,
  'code_interpreter/4g': 0.12,
  'code_interpreter/16g': 0.48,
  'code_interpreter/64g': 1.92,
  shell: 0.03,
  'shell/4g': 0.12,
  'shell/16g': 0.48,
  'shell/64g': 1.92,
  image_generation: 0.25,
  'image_generation/low': 0.016,
  'image_generation/low/1024x1024': 0.011,
  'image_generation/medium': 0.063,
  'image_generation/medium/1024x1024': 0.042,
  'image_generation/high/1024x1024': 0.167,
  'image_generation:gpt-image-1-mini*': 0.052,
  'image_generation/low:gpt-image-1-mini*': 0.006,
  'image_generation/low/1024x1024:gpt-image-1-mini*': 0.005,
  'image_generation/medium:gpt-image-1-mini*': 0.015,
  'image_generation/medium/1024x1024:gpt-image-1-mini*': 0.011,
  'image_generation/high/1024x1024:gpt-image-1-mini*': 0.036,
  image_generation_partial: 0.004,
  mcp: 0,
  tool_search: 0,
  // https://platform.claude.com/docs/en/about-claude/pricing: a container costs $0.05 an hour, at least five minutes.
  code_execution: 0.0042,
  web_fetch: 0,
  // https://ai.google.dev/gemini-api/docs/pricing: per grounded prompt. From Gemini 3 on, per query.
  google_search: 0.035,
  'google_search:gemini-3*': 0.014,
  google_maps: 0.025,
  'google_maps:gemini-3*': 0.014,
  enterprise_web_search: 0.045,
  url_context: 0,
  'code_execution:gemini*': 0,
  'file_search:gemini*': 0,
  // https://docs.x.ai/docs/models: live search is priced per source.
  live_search: 0.025,
  x_search: 0.005,
  'web_search:grok*': 0.005,
  'code_interpreter:grok*': 0.005,
  'code_execution:grok*': 0.005,
  'file_search:grok*': 0.0025,
  // https://docs.perplexity.ai/getting-started/pricing: per query of deep research.
  'web_search:sonar*': 0.005,
  // https://openrouter.ai/docs/features/web-search: per result.
  'plugin.web': 0.004,
  'plugin.file-parser/pdf-text': 0,
  'plugin.response-healing': 0,
  'openrouter:web_search': 0.02,
  'openrouter:datetime': 0,
  // https://platform.moonshot.ai/docs/pricing/tools
  $web_search: 0.005,
}

/** The seller of a tool. `models` are the names of the calling model. `slug` is the slug of the channel type. */
export interface ToolSeller {
  readonly models: readonly string[]
  readonly slug: string
}

/** The calls of one tool. `price` is in dollars per call. */
export interface PricedCalls {
  readonly tool: string
  readonly calls: number
  readonly price: number
}

/** Returns the dollars per call of a tool, or undefined. If `a/b/c` has no entry, `a/b` applies, then `a`. */
export function toolPrice(table: Ratios, tool: string, seller: ToolSeller): number | undefined {
  for (let name = tool; ; name = name.slice(0, name.lastIndexOf('/'))) {
    const price = modelPrice(table, name, seller) ?? ownRatio(table, `${name}@${seller.slug}`) ?? ownRatio(table, name)
    if (price !== undefined || !name.includes('/')) return price
  }
}

/** Returns the highest price of a tool and its variants, for calls whose variant is unknown. */
export function highestToolPrice(table: Ratios, tool: string, seller: ToolSeller): number | undefined {
  const highest = toolPrice(table, tool, seller)
  if (highest === undefined) return undefined
  const variants = Object.keys(table)
    .filter((row) => row.startsWith(`${tool}/`))
    .map((row) => toolPrice(table, row.replace(/[:@].*$/, ''), seller) ?? 0)
  return Math.max(highest, ...variants)
}

/** Returns the price in the entry with the longest matching model pattern. */
function modelPrice(table: Ratios, tool: string, { models }: ToolSeller): number | undefined {
  const start = `${tool}:`
  let longest = ''
  for (const key in table) {
    if (!key.startsWith(start) || key.length <= longest.length) continue
    const pattern = key.slice(start.length)
    const names = models.flatMap((model) => [model, model.slice(model.lastIndexOf('/') + 1)])
    if (names.some((name) => matchesName(name, pattern))) longest = key
  }
  return longest === '' ? undefined : ownRatio(table, longest)
}

/** Returns the quota of tool calls, rounded up. */
export function toolQuota(
  { quotaPerUnit, groupRatio }: Pick<Price, 'quotaPerUnit' | 'groupRatio'>,
  calls: readonly PricedCalls[],
): number {
  const dollars = calls.reduce((sum, call) => sum + call.calls * call.price, 0)
  const exact = dollars * quotaPerUnit * groupRatio
  if (!(exact > 0)) return 0
  // Subtract a tolerance, because products of decimals are inexact in their last binary digits.
  return Math.min(Math.ceil(exact - Math.max(1e-6, exact * 2 ** -50)), Number.MAX_SAFE_INTEGER)
}

/** Returns the tool calls in a log row, without invalid ones. */
export function toolCallsFromLog(stored: unknown): PricedCalls[] {
  if (!Array.isArray(stored)) return []
  return stored.filter(
    (call: unknown): call is PricedCalls =>
      isRecord(call) && typeof call.tool === 'string' && isCount(call.calls) && isCount(call.price),
  )
}

const isCount = (value: unknown): boolean => typeof value === 'number' && Number.isFinite(value) && value >= 0

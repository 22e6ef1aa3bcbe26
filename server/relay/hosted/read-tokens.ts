import { CONTEXT_WINDOW } from '../counting/files.ts'
import { lookup } from '../json.ts'
import type { HostedTools, PricedUse } from './admit-hosted.ts'

/** Tokens of a call whose result may fill the whole context window. */
const NO_LIMIT = Number.POSITIVE_INFINITY
/** Assumed tokens of a call's result, such as search results or the output of code. */
const DEFAULT_TOKENS = 10_000
/**
 * Tokens that the result of one call adds to the prompt, at the price of the prompt. The results of tools that read
 * from an address or a server have no limit.
 */
const TOKENS_PER_CALL: Readonly<Record<string, number>> = lookup({
  mcp: NO_LIMIT,
  url_context: NO_LIMIT,
  web_fetch: NO_LIMIT,
  // At most 20 chunks of 800 tokens.
  file_search: 16_000,
  // For plugin.web and live_search, each result counts as a call.
  'plugin.web': 1000,
  live_search: 1000,
  image_generation: 0,
  image_generation_partial: 0,
  'plugin.file-parser': 0,
  'plugin.response-healing': 0,
  'openrouter:datetime': 0,
  tool_search: 0,
})
/** Assumed context window of an unknown model, in tokens. Not for Google's models, whose windows are larger. */
const UNKNOWN_WINDOW = 131_072
const GOOGLE = /gemini/

interface UpstreamModel {
  readonly names: readonly string[]
  readonly contextWindow: number | undefined
}

/** Returns the maximum number of tokens that the results of hosted tools add to a prompt, within the context window. */
export function readTokens(
  { uses, limit }: HostedTools,
  { names, contextWindow }: UpstreamModel,
  promptTokens: number,
): number {
  const fixed = uses.reduce((sum, use) => sum + (use.calls === undefined ? 0 : use.calls * tokensOfCall(use)), 0)
  // All calls under the shared limit could be calls of the tool with the longest results.
  const shared = Math.max(0, ...uses.map((use) => (use.calls === undefined ? tokensOfCall(use) : 0)))
  const assumedWindow = names.some((name) => GOOGLE.test(name)) ? CONTEXT_WINDOW : UNKNOWN_WINDOW
  return Math.min(fixed + limit * shared, Math.max(0, (contextWindow ?? assumedWindow) - promptTokens))
}

function tokensOfCall({ tool, tokensPerCall }: PricedUse): number {
  return tokensPerCall ?? TOKENS_PER_CALL[baseOf(tool)] ?? DEFAULT_TOKENS
}

/** Returns a tool's name without its variant, such as `image_generation` for `image_generation/high`. */
export const baseOf = (tool: string): string => tool.split('/', 1)[0] as string

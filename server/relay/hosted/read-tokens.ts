import { CONTEXT_WINDOW } from '../counting/files.ts'
import { lookup } from '../json.ts'
import type { HostedTools, PricedUse } from './admit-hosted.ts'

/** Limited only by the model's context window. */
const NO_LIMIT = Number.POSITIVE_INFINITY
/** Tokens of search results, or of the output of code. */
const USUAL = 10_000
/**
 * Tokens that one call adds to the prompt, at the upstream's price for prompts. Tools that read the content of an address or a
 * server have no limit.
 */
const TOKENS_PER_CALL: Readonly<Record<string, number>> = lookup({
  mcp: NO_LIMIT,
  url_context: NO_LIMIT,
  web_fetch: NO_LIMIT,
  // At most 20 chunks of 800 tokens.
  file_search: 16_000,
  // Per result, not per search.
  'plugin.web': 1000,
  live_search: 1000,
  image_generation: 0,
  image_generation_partial: 0,
  'plugin.file-parser': 0,
  'plugin.response-healing': 0,
  'openrouter:datetime': 0,
  tool_search: 0,
})
/** Context window of an unknown model. Not used for Google's, whose prices often omit it. */
const UNKNOWN_WINDOW = 131_072
const GOOGLE = /gemini/

interface ReadingModel {
  readonly names: readonly string[]
  readonly contextWindow: number | undefined
}

/** Returns the tokens that the results of hosted tools add to a prompt, within the context window. */
export function readTokens(
  { uses, limit }: HostedTools,
  { names, contextWindow }: ReadingModel,
  promptTokens: number,
): number {
  const fixed = uses.reduce((sum, use) => sum + (use.calls === undefined ? 0 : use.calls * perCall(use)), 0)
  // All tools share the limit.
  const shared = Math.max(0, ...uses.map((use) => (use.calls === undefined ? perCall(use) : 0)))
  const unknown = names.some((name) => GOOGLE.test(name)) ? CONTEXT_WINDOW : UNKNOWN_WINDOW
  return Math.min(fixed + limit * shared, Math.max(0, (contextWindow ?? unknown) - promptTokens))
}

function perCall({ tool, tokensPerCall }: PricedUse): number {
  const base = tool.split('/', 1)[0] as string
  return tokensPerCall ?? TOKENS_PER_CALL[base] ?? USUAL
}

import { CONTEXT_WINDOW } from '../counting/files.ts'
import { lookup } from '../json.ts'
import type { HostedTools, PricedUse } from './admit-hosted.ts'

/** As much as the model takes. */
const NO_LIMIT = Number.POSITIVE_INFINITY
/** Results of a search, or what code printed. */
const USUAL = 10_000
/**
 * Tokens that one call adds to the prompt, which the upstream charges as prompt tokens. Tools that read whatever an address or a server
 * returns have no limit.
 */
const TOKENS_PER_CALL: Readonly<Record<string, number>> = lookup({
  mcp: NO_LIMIT,
  url_context: NO_LIMIT,
  web_fetch: NO_LIMIT,
  // At most 20 pieces of 800 tokens.
  file_search: 16_000,
  // By the result, not by the search.
  'plugin.web': 1000,
  live_search: 1000,
  image_generation: 0,
  image_generation_partial: 0,
  'plugin.file-parser': 0,
  'plugin.response-healing': 0,
  'openrouter:datetime': 0,
  tool_search: 0,
})
/** The longest prompt of a model of which nothing is known; of Google's, most prices do not tell it. */
const UNKNOWN_WINDOW = 131_072
const GOOGLE = /gemini/

interface ReadingModel {
  readonly names: readonly string[]
  readonly contextWindow: number | undefined
}

/** Returns the tokens that the results of hosted tools add to the prompt, of one that is no longer than the context window. */
export function readTokens({ uses, limit }: HostedTools, { names, contextWindow }: ReadingModel): number {
  const fixed = uses.reduce((sum, use) => sum + (use.calls === undefined ? 0 : use.calls * perCall(use)), 0)
  // The limit is one for all of them together.
  const shared = Math.max(0, ...uses.map((use) => (use.calls === undefined ? perCall(use) : 0)))
  const unknown = names.some((name) => GOOGLE.test(name)) ? CONTEXT_WINDOW : UNKNOWN_WINDOW
  return Math.min(fixed + limit * shared, contextWindow ?? unknown)
}

function perCall({ tool, tokensPerCall }: PricedUse): number {
  const base = tool.split('/', 1)[0] as string
  return tokensPerCall ?? TOKENS_PER_CALL[base] ?? USUAL
}

/**
 * Betas of Anthropic's API that every channel allows. Their costs are all in the reported usage, and they give no
 * access to data of the account. https://platform.claude.com/docs/en/api/beta-headers
 *
 * The list omits these betas: `context-1m-…` (long prompts cost more than the list price), `fast-mode-…` (a more
 * expensive tier), `code-execution-…` (charged by the hour), `files-api-…`, `skills-…` and `message-batches-…` (access
 * to data of the account).
 */
const PRICED_BETAS: ReadonlySet<string> = new Set([
  'advanced-tool-use-2025-11-20',
  'claude-code-20250219',
  'compact-2026-01-12',
  'computer-use-2024-10-22',
  'computer-use-2025-01-24',
  'computer-use-2025-11-24',
  'context-management-2025-06-27',
  'dev-full-thinking-2025-05-14',
  'effort-2025-11-24',
  'extended-cache-ttl-2025-04-11',
  'fine-grained-tool-streaming-2025-05-14',
  'interleaved-thinking-2025-05-14',
  'max-tokens-3-5-sonnet-2024-07-15',
  'mcp-client-2025-04-04',
  'mcp-client-2025-11-20',
  // Only the user who created the stored thread can refer to it.
  'message-threads-2026-08-12',
  'model-context-window-exceeded-2025-08-26',
  'output-128k-2025-02-19',
  'pdfs-2024-09-25',
  'prompt-caching-2024-07-31',
  'prompt-caching-scope-2026-01-05',
  'redact-thinking-2026-02-12',
  'structured-outputs-2025-11-13',
  'task-budgets-2026-03-13',
  'token-counting-2024-11-01',
  'token-efficient-tools-2025-02-19',
  'tool-examples-2025-10-29',
  'tool-search-tool-2025-10-19',
  'tools-2024-04-04',
  'tools-2024-05-16',
  'web-fetch-2025-09-10',
])

/** An element of a channel's list of betas that allows every beta. */
const ANY_BETA = '*'

/** Returns whether the prices cover a request with this beta, or `allowed` (the channel's list) contains the beta. */
export function isBetaAllowed(beta: string, allowed: readonly string[] = []): boolean {
  return PRICED_BETAS.has(beta) || allowed.includes(beta) || allowed.includes(ANY_BETA)
}

import type { IncomingMessage } from 'node:http'

/** Beginnings of paths below other base URLs than `/v1`, with their replacements. The first match applies. */
const ALIASES: readonly (readonly [from: RegExp, to: string])[] = [
  // https://ai.google.dev/gemini-api/docs/openai. The list of models has a separate route.
  [/^\/v1beta\/openai\/(?!models\/?$)/, '/v1/'],
  // https://learn.microsoft.com/azure/ai-foundry/openai/api-version-lifecycle
  [
    /^\/openai\/(?:v1\/|(?=(?:chat\/completions|completions|responses|embeddings|models|images|audio)(?:\/|$)))/,
    '/v1/',
  ],
  // https://api-docs.deepseek.com/guides/anthropic_api
  [/^\/anthropic\/(?:v1\/|(?=(?:messages|models)(?:\/|$)))/, '/v1/'],
  [/^\/v1\/v1\//, '/v1/'],
  // Jina and vLLM use these paths for rerank requests.
  [/^\/(?:(?:v1\/)?reranking|rerank)\/?$/, '/v1/rerank'],
  [
    /^\/(?=(?:chat\/completions|completions|fim|responses|conversations|embeddings|moderations|messages|models|realtime|images|audio|files|batches)(?:\/|$))/,
    '/v1/',
  ],
]
/** Matches paths of the relay by their first segment. */
const RELAY_PATH =
  /^\/(?:v1|v1beta|v1alpha|v2|openai|anthropic|chat|completions|fim|responses|conversations|embeddings|moderations|messages|models|realtime|images|audio|files|batches|rerank|reranking)(?:\/|$)/

/**
 * Returns the URL of the route that serves a request, with an unchanged query. For paths of the relay, adds a missing
 * `/v1`, replaces multiple slashes by one, and converts paths below the base URL of another vendor's compatible API.
 * Changes nothing if a browser requests a page, because the console may have a page at that path.
 */
export function servingUrl({
  url = '/',
  method,
  headers,
}: Pick<IncomingMessage, 'url' | 'method' | 'headers'>): string {
  // Most requests need no regular expression.
  if (url.startsWith('/api/')) return url
  const end = url.indexOf('?')
  const path = end < 0 ? url : url.slice(0, end)
  const singleSlashPath = path.includes('//') ? path.replace(/\/{2,}/g, '/') : path
  if (
    singleSlashPath === path &&
    path.startsWith('/v1/') &&
    !path.startsWith('/v1/v1/') &&
    !path.startsWith('/v1/rerank')
  ) {
    return url
  }
  if (!RELAY_PATH.test(singleSlashPath) || asksForPage({ method, headers })) return url
  const alias = ALIASES.find(([from]) => from.test(singleSlashPath))
  const routePath = alias ? singleSlashPath.replace(alias[0], alias[1]) : singleSlashPath
  return routePath === path ? url : routePath + (end < 0 ? '' : url.slice(end))
}

/** Whether a browser requests a page. */
export function asksForPage({ method, headers }: Pick<IncomingMessage, 'method' | 'headers'>): boolean {
  return (method === 'GET' || method === 'HEAD') && (headers.accept?.includes('text/html') ?? false)
}

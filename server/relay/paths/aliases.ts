import type { IncomingMessage } from 'node:http'

/** Paths below other base URLs than `/v1`, and the paths that serve them. The first match applies. */
const MOVED: readonly (readonly [from: RegExp, to: string])[] = [
  // https://ai.google.dev/gemini-api/docs/openai; the list of models has its own route.
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
/** The first segments of relay paths; other paths keep doubled slashes. */
const RELAYED =
  /^\/(?:v1|v1beta|v1alpha|v2|openai|anthropic|chat|completions|fim|responses|conversations|embeddings|moderations|messages|models|realtime|images|audio|files|batches|rerank|reranking)(?:\/|$)/

/**
 * Returns the URL that serves a request: paths without `/v1`, with doubled slashes, or below the base URL of another vendor's
 * compatible API become the paths of routes. The query is kept. A browser's page request keeps its URL: the console may have a
 * screen of that name.
 */
export function servingUrl({
  url = '/',
  method,
  headers,
}: Pick<IncomingMessage, 'url' | 'method' | 'headers'>): string {
  // Fast path for most requests, without a regular expression.
  if (url.startsWith('/api/')) return url
  const end = url.indexOf('?')
  const path = end < 0 ? url : url.slice(0, end)
  const single = path.includes('//') ? path.replace(/\/{2,}/g, '/') : path
  if (single === path && path.startsWith('/v1/') && !path.startsWith('/v1/v1/') && !path.startsWith('/v1/rerank')) {
    return url
  }
  if (!RELAYED.test(single) || asksForPage({ method, headers })) return url
  const moved = MOVED.find(([from]) => from.test(single))
  const found = moved ? single.replace(moved[0], moved[1]) : single
  return found === path ? url : found + (end < 0 ? '' : url.slice(end))
}

/** Whether a browser requests a page. */
export function asksForPage({ method, headers }: Pick<IncomingMessage, 'method' | 'headers'>): boolean {
  return (method === 'GET' || method === 'HEAD') && (headers.accept?.includes('text/html') ?? false)
}

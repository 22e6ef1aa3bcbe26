import { type Dispatcher, request } from 'undici'
import { type ConnectionGuard, openConnections } from './connections.ts'

const TIMEOUT_MS = 5_000
const ANSWER_BYTES_MAX = 4 * 1024 * 1024

export interface OutboundRequest {
  method?: 'GET' | 'POST'
  headers?: Record<string, string>
  /** Sent as JSON. */
  json?: unknown
  /** Sent as a form. */
  form?: Record<string, string>
  timeoutMs?: number
  /** Absent = direct connection. */
  proxy?: URL | undefined
  /** Absent = any address. */
  guard?: ConnectionGuard | undefined
}
export interface OutboundAnswer {
  status: number
  text: string
  /** The body as JSON; undefined if it is not JSON. */
  json: unknown
}

/**
 * Sends one short request to another service: sign-in providers, bot checks, balances, model lists. Does not follow redirects, and
 * limits the reply's size. Throws a plain Error without a reply; any status is returned.
 */
export async function outbound(url: string, options: OutboundRequest = {}): Promise<OutboundAnswer> {
  const { proxy, guard } = options
  const connections =
    proxy || guard ? openConnections(new URL(url).origin, { guard, ...(proxy && { proxy }) }) : undefined
  try {
    return await exchange(url, options, connections)
  } finally {
    await connections?.destroy()
  }
}

async function exchange(
  url: string,
  options: OutboundRequest,
  dispatcher: Dispatcher | undefined,
): Promise<OutboundAnswer> {
  const { json, form, headers = {}, timeoutMs = TIMEOUT_MS } = options
  const body = json !== undefined ? JSON.stringify(json) : form ? new URLSearchParams(form).toString() : null
  const type = json !== undefined ? 'application/json' : 'application/x-www-form-urlencoded'
  const answer = await request(url, {
    method: options.method ?? (body === null ? 'GET' : 'POST'),
    headers: { accept: 'application/json', ...(body !== null && { 'content-type': type }), ...headers },
    body,
    signal: AbortSignal.timeout(timeoutMs),
    ...(dispatcher && { dispatcher }),
  })
  const parts: Buffer[] = []
  let size = 0
  for await (const part of answer.body) {
    size += part.length
    if (size > ANSWER_BYTES_MAX) throw new Error(`the answer is larger than ${ANSWER_BYTES_MAX} bytes`)
    parts.push(part)
  }
  const text = Buffer.concat(parts).toString('utf8')
  return { status: answer.statusCode, text, json: parsed(text) }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

import { type Dispatcher, request } from 'undici'
import { type ConnectionGuard, openConnections } from './connections.ts'

const TIMEOUT_MS = 5_000
const ANSWER_BYTES_MAX = 4 * 1024 * 1024

export interface OutboundRequest {
  method?: 'GET' | 'POST'
  headers?: Record<string, string>
  /** Body, sent as JSON. */
  json?: unknown
  /** Body, sent as an HTML form. */
  form?: Record<string, string>
  /** Maximum time until the whole reply has arrived. The default is 5 seconds. */
  timeoutMs?: number
  signal?: AbortSignal | undefined
  /** Absent: direct connection. */
  proxy?: URL | undefined
  /** Absent: any address is allowed. */
  guard?: ConnectionGuard | undefined
}
interface OutboundAnswer {
  status: number
  text: string
  /** The body as JSON, or undefined if it is not JSON. */
  json: unknown
}

/**
 * Sends one short request to another service, such as an identity provider or a bot check. Does not follow redirects.
 * Returns replies of any status. Throws a plain Error if there is no reply, or if the reply is larger than 4 MiB.
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
  const { json, form, headers = {}, timeoutMs = TIMEOUT_MS, signal } = options
  const timeout = AbortSignal.timeout(timeoutMs)
  const body = json !== undefined ? JSON.stringify(json) : form ? new URLSearchParams(form).toString() : null
  const type = json !== undefined ? 'application/json' : 'application/x-www-form-urlencoded'
  const answer = await request(url, {
    method: options.method ?? (body === null ? 'GET' : 'POST'),
    headers: { accept: 'application/json', ...(body !== null && { 'content-type': type }), ...headers },
    body,
    signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
    ...(dispatcher && { dispatcher }),
  })
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of answer.body) {
    size += chunk.length
    if (size > ANSWER_BYTES_MAX) throw new Error(`the answer is larger than ${ANSWER_BYTES_MAX} bytes`)
    chunks.push(chunk)
  }
  const text = Buffer.concat(chunks).toString('utf8')
  return { status: answer.statusCode, text, json: parseJson(text) }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

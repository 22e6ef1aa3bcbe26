import { type ConnectionGuard, openConnections } from '../connections.ts'

/** Maximum number of bytes to read of a reply. Receivers send short replies. */
const REPLY_BYTES_MAX = 64 * 1024
export const POST_TIMEOUT_MS = 10_000

export interface PostRequest {
  readonly url: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body: string
}

export interface PostReply {
  readonly status: number
  /** The beginning of the body, at most REPLY_BYTES_MAX bytes. */
  readonly text: string
}

/**
 * Posts JSON once to an address that the guard allows. Returns redirects without following them. Throws a TimeoutError
 * if the connection, the request and the reply together take longer than `timeoutMs` (default: 10 seconds). Also throws
 * errors of the guard and network errors.
 */
export async function post(
  { url, headers = {}, body }: PostRequest,
  { guard, timeoutMs = POST_TIMEOUT_MS, signal }: { guard: ConnectionGuard; timeoutMs?: number; signal: AbortSignal },
): Promise<PostReply> {
  const target = new URL(url)
  const connections = openConnections(target.origin, { connections: 1, guard })
  const endSignal = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)])
  try {
    const reply = await connections.request({
      path: target.pathname + target.search,
      method: 'POST',
      headers: {
        accept: '*/*',
        'accept-encoding': 'identity',
        'content-type': 'application/json; charset=utf-8',
        'user-agent': 'tollgate',
        ...headers,
      },
      body,
      signal: endSignal,
    })
    return { status: reply.statusCode, text: await beginningOf(reply.body) }
  } finally {
    // The rest of the body may be endless, so the connection cannot be reused.
    await connections.destroy()
  }
}

async function beginningOf(body: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of body) {
    chunks.push(chunk)
    size += chunk.length
    if (size >= REPLY_BYTES_MAX) break
  }
  return Buffer.concat(chunks).subarray(0, REPLY_BYTES_MAX).toString('utf8')
}

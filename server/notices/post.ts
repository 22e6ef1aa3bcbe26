import { type ConnectionGuard, openConnections } from '../connections.ts'

/** Receivers send short replies; the rest is not read. */
const REPLY_BYTES_MAX = 64 * 1024
export const POST_TIMEOUT_MS = 10_000

export interface PostRequest {
  readonly url: string
  readonly headers?: Readonly<Record<string, string>>
  /** JSON. */
  readonly body: string
}

export interface PostReply {
  readonly status: number
  /** At most REPLY_BYTES_MAX of the body. */
  readonly text: string
}

/**
 * Posts JSON once, within 10 seconds in total, to an address that the guard allows. Returns redirects without following them.
 * Throws errors of the guard and network errors.
 */
export async function post(
  { url, headers = {}, body }: PostRequest,
  { guard, timeoutMs = POST_TIMEOUT_MS, signal }: { guard: ConnectionGuard; timeoutMs?: number; signal: AbortSignal },
): Promise<PostReply> {
  const target = new URL(url)
  const connections = openConnections(target.origin, { connections: 1, guard })
  const ends = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)])
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
      signal: ends,
    })
    return { status: reply.statusCode, text: await beginningOf(reply.body) }
  } finally {
    // The rest of the body may be endless.
    await connections.destroy()
  }
}

async function beginningOf(body: AsyncIterable<Buffer>): Promise<string> {
  const parts: Buffer[] = []
  let size = 0
  for await (const part of body) {
    parts.push(part)
    size += part.length
    if (size >= REPLY_BYTES_MAX) break
  }
  return Buffer.concat(parts).subarray(0, REPLY_BYTES_MAX).toString('utf8')
}

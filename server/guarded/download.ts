import { pipeline, type Readable } from 'node:stream'
import { GatewayError } from '../../core/errors.ts'
import { DECODERS } from '../bodies/receive.ts'
import { type HostAddress, openConnections } from '../connections.ts'

const MEGABYTE = 1024 * 1024
const SILENCE_MAX_MS = 30_000

/** One response: a file, or a redirect with a `location` and no data. */
export interface Downloaded {
  readonly data: Buffer
  readonly declared: string
  readonly location: string | undefined
}

export interface DownloadOptions {
  /** The checked addresses of the host. Undefined allows any address, as for the operator's download service. */
  readonly addresses?: readonly HostAddress[]
  readonly proxy: URL | undefined
  readonly signal: AbortSignal
  /** Maximum time to connect and receive the headers. The default is 30 seconds. */
  readonly firstByteMs?: number
  /** Maximum number of bytes, both compressed and decompressed. */
  readonly bytesMax: number
  readonly post?: { readonly headers: Record<string, string>; readonly body: string }
}

/**
 * Sends one request on its own connection. Returns redirects without following them. Throws MEDIA_UNAVAILABLE and
 * network errors.
 */
export async function download(
  url: URL,
  { addresses, proxy, signal, firstByteMs = SILENCE_MAX_MS, bytesMax, post }: DownloadOptions,
): Promise<Downloaded> {
  const connections = openConnections(url.origin, {
    connections: 1,
    headersTimeout: SILENCE_MAX_MS,
    bodyTimeout: SILENCE_MAX_MS,
    ...(proxy && { proxy }),
    ...(addresses && { addresses }),
  })
  const headersTimer = new AbortController()
  const timer = setTimeout(() => headersTimer.abort(), firstByteMs)
  try {
    const { statusCode, headers, body } = await connections.request({
      path: url.pathname + url.search,
      method: post ? 'POST' : 'GET',
      headers: { accept: '*/*', 'accept-encoding': 'identity', 'user-agent': 'tollgate', ...post?.headers },
      body: post?.body ?? null,
      signal: AbortSignal.any([signal, headersTimer.signal]),
    })
    clearTimeout(timer)
    const declared = textOf(headers['content-type'])
    const location = textOf(headers.location)
    if (statusCode >= 300 && statusCode < 400 && location) return { data: Buffer.alloc(0), declared, location }
    if (statusCode < 200 || statusCode >= 300)
      throw unavailable(`its host answered with status ${statusCode}`, statusCode)
    if (Number(textOf(headers['content-length'])) > bytesMax) throw tooLarge(bytesMax)
    const data = await readAll(decompress(body, textOf(headers['content-encoding']), bytesMax), bytesMax)
    return { data, declared, location: undefined }
  } finally {
    clearTimeout(timer)
    // The rest of a rejected body may be endless, so the connection cannot be reused.
    await connections.destroy()
  }
}

/**
 * Decompresses a body piece by piece, so that memory use stays below the limit. Some servers compress although the
 * request does not accept compression.
 */
function decompress(body: Readable, encoding: string, bytesMax: number): AsyncIterable<Buffer> {
  if (encoding === '' || encoding === 'identity') return body
  const decoder = DECODERS.get(encoding.toLowerCase())?.()
  if (!decoder) throw unavailable('its content encoding is not supported')
  // `pipeline` destroys all streams if one fails. The reader gets the error.
  return pipeline(
    body,
    (compressed: AsyncIterable<Buffer>) => limitSize(compressed, bytesMax),
    decoder,
    () => {},
  )
}

async function* limitSize(body: AsyncIterable<Buffer>, bytesMax: number): AsyncGenerator<Buffer> {
  let size = 0
  for await (const chunk of body) {
    size += chunk.length
    if (size > bytesMax) throw tooLarge(bytesMax)
    yield chunk
  }
}

async function readAll(body: AsyncIterable<Buffer>, bytesMax: number): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of limitSize(body, bytesMax)) chunks.push(chunk)
  return Buffer.concat(chunks)
}

function textOf(header: string | string[] | undefined): string {
  return (Array.isArray(header) ? header[0] : header) ?? ''
}

function tooLarge(bytesMax: number): GatewayError {
  return unavailable(`it is larger than ${Math.floor(bytesMax / MEGABYTE)} MB`)
}

function unavailable(reason: string, status?: number): GatewayError {
  return new GatewayError('MEDIA_UNAVAILABLE', status === undefined ? { reason } : { reason, status })
}

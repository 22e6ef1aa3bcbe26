import { pipeline, type Readable, type Transform } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import { GatewayError } from '../../core/errors.ts'
import { type HostAddress, openConnections } from '../connections.ts'

const MEGABYTE = 1024 * 1024
const SILENCE_MAX_MS = 30_000
const UNPACK: ReadonlyMap<string, () => Transform> = new Map([
  ['gzip', createGunzip],
  ['x-gzip', createGunzip],
  ['deflate', createInflate],
  ['br', createBrotliDecompress],
])

/** One response: a file or a redirect. */
export interface Downloaded {
  readonly data: Buffer
  /** Content type declared by the server. */
  readonly declared: string
  readonly location: string | undefined
}

export interface DownloadOptions {
  /** Undefined: any address of the host, for hosts that the operator allows by name. */
  readonly addresses?: readonly HostAddress[]
  readonly proxy: URL | undefined
  readonly signal: AbortSignal
  /** Timeout to connect and begin the response. */
  readonly firstByteMs?: number
  /** Maximum of compressed and of decompressed bytes. */
  readonly bytesMax: number
  readonly post?: { readonly headers: Record<string, string>; readonly body: string }
}

/** Sends one request on its own connection. Returns redirects without following them. Throws MEDIA_UNAVAILABLE and network errors. */
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
  const begins = new AbortController()
  const timer = setTimeout(() => begins.abort(), firstByteMs)
  try {
    const { statusCode, headers, body } = await connections.request({
      path: url.pathname + url.search,
      method: post ? 'POST' : 'GET',
      headers: { accept: '*/*', 'accept-encoding': 'identity', 'user-agent': 'tollgate', ...post?.headers },
      body: post?.body ?? null,
      signal: AbortSignal.any([signal, begins.signal]),
    })
    clearTimeout(timer)
    const declared = textOf(headers['content-type'])
    const location = textOf(headers.location)
    if (statusCode >= 300 && statusCode < 400 && location) return { data: Buffer.alloc(0), declared, location }
    if (statusCode < 200 || statusCode >= 300)
      throw unavailable(`its host answered with status ${statusCode}`, statusCode)
    if (Number(textOf(headers['content-length'])) > bytesMax) throw tooLarge(bytesMax)
    const data = await readAll(unpacked(body, textOf(headers['content-encoding']), bytesMax), bytesMax)
    return { data, declared, location: undefined }
  } finally {
    clearTimeout(timer)
    // The rest of an unwanted body may be endless.
    await connections.destroy()
  }
}

/** Some servers compress against the request. Decompresses while reading, so that no more than the limit is in memory. */
function unpacked(body: Readable, encoding: string, bytesMax: number): AsyncIterable<Buffer> {
  if (encoding === '' || encoding === 'identity') return body
  const unpack = UNPACK.get(encoding.toLowerCase())?.()
  if (!unpack) throw unavailable('it is compressed in a way that is not known here')
  // If one stream ends, all end; the reader gets the error.
  return pipeline(
    body,
    (packed: AsyncIterable<Buffer>) => limited(packed, bytesMax),
    unpack,
    () => {},
  )
}

async function* limited(body: AsyncIterable<Buffer>, bytesMax: number): AsyncGenerator<Buffer> {
  let size = 0
  for await (const part of body) {
    size += part.length
    if (size > bytesMax) throw tooLarge(bytesMax)
    yield part
  }
}

async function readAll(body: AsyncIterable<Buffer>, bytesMax: number): Promise<Buffer> {
  const parts: Buffer[] = []
  for await (const part of limited(body, bytesMax)) parts.push(part)
  return Buffer.concat(parts)
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

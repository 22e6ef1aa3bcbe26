import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { pipeline, type Readable, Transform } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import { GatewayError } from '../../core/errors.ts'
import { because } from '../../core/messages/reasons.ts'
import type { BodyBytes } from './budget.ts'
import { watchPace } from './pace.ts'

/** Creators of decompressing streams, by content encoding. */
export const DECODERS: ReadonlyMap<string, (options?: { chunkSize: number }) => Transform> = new Map([
  ['gzip', createGunzip],
  ['x-gzip', createGunzip],
  ['br', createBrotliDecompress],
  ['deflate', createInflate],
])
/**
 * Size of decompressed chunks. Each chunk costs a task in another thread and several events, so chunks of 16 kB would
 * take twice the time.
 */
const DECODED_CHUNK_BYTES = 64 * 1024

/**
 * Maximum ratio of decompressed to compressed bytes. Real texts stay below it, but repeated bytes can reach a ratio of
 * 1000.
 */
export const COMPRESSION_RATIO_MAX = 64
/** The ratio is checked only above this number of decompressed bytes. */
const FREE_BYTES = 1024 * 1024

/** Returns whether the body of a request has a supported content encoding. */
export function isCompressed(headers: IncomingHttpHeaders): boolean {
  return DECODERS.has(headers['content-encoding'] ?? '')
}

/**
 * Returns the decompressed body of a request, or undefined if the body has no supported content encoding. If the
 * compression ratio is too high, the stream emits REQUEST_TOO_LARGE, because such a body costs the client little and
 * the gateway much.
 */
export function decodeBody(request: IncomingMessage): Readable | undefined {
  const decoder = DECODERS.get(request.headers['content-encoding'] ?? '')
  if (!decoder) return undefined
  delete request.headers['content-encoding']
  delete request.headers['content-length']
  let compressedBytes = 0
  let decompressedBytes = 0
  const countCompressed = new Transform({
    transform(piece: Buffer, _encoding, done) {
      compressedBytes += piece.length
      done(null, piece)
    },
  })
  const limitRatio = new Transform({
    transform(piece: Buffer, _encoding, done) {
      decompressedBytes += piece.length
      const max = Math.max(FREE_BYTES, compressedBytes * COMPRESSION_RATIO_MAX)
      if (decompressedBytes > max) done(new GatewayError('REQUEST_TOO_LARGE', { max }))
      else done(null, piece)
    },
  })
  // `pipeline` destroys all streams if one fails. The reader of the decompressed body gets the error.
  pipeline(request, countCompressed, decoder({ chunkSize: DECODED_CHUNK_BYTES }), limitRatio, () => {})
  return limitRatio
}

/**
 * Collects a body in memory. Calls `done` once with the bytes, or with REQUEST_TOO_LARGE, BODIES_LIMITED, BODIES_FULL,
 * BODY_TOO_SLOW, REQUEST_MALFORMED, an error of `look`, or the stream's error. The last piece of a body with a content
 * length does not count against the budget.
 */
export function receiveBody(
  payload: Readable,
  {
    request,
    bytesMax,
    share,
    look,
  }: {
    request: IncomingMessage
    bytesMax: number
    share: () => BodyBytes
    /** Called with each piece. It can throw to reject the body. */
    look?: (piece: Buffer) => void
  },
  done: (error: Error | null, body?: Buffer) => void,
): void {
  const announced = Number(request.headers['content-length'])
  if (announced > bytesMax) {
    done(new GatewayError('REQUEST_TOO_LARGE', { max: bytesMax }))
    return
  }
  const pieces: Buffer[] = []
  let bytes = 0
  let openedShare: BodyBytes | undefined
  let stopWatch: (() => void) | undefined
  let isDone = false

  const finish = (error: Error | null, body?: Buffer) => {
    if (isDone) return
    isDone = true
    openedShare?.release()
    stopWatch?.()
    payload.off('data', collect)
    pieces.length = 0
    if (error) discardRest(payload, request)
    done(error, body)
  }
  const complete = () => finish(null, pieces.length === 1 ? (pieces[0] as Buffer) : Buffer.concat(pieces, bytes))
  // Node.js delivers no more bytes than the content length. For a decompressed body, the length is unknown.
  const isAnnounced = payload === request && announced > 0
  const collect = (piece: Buffer) => {
    bytes += piece.length
    if (bytes > bytesMax) {
      finish(new GatewayError('REQUEST_TOO_LARGE', { max: bytesMax }))
      return
    }
    pieces.push(piece)
    try {
      look?.(piece)
      if (bytes !== announced) {
        openedShare ??= share()
        openedShare.add(piece.length)
      }
    } catch (error) {
      finish(error as Error)
      return
    }
    if (isAnnounced && bytes === announced) complete()
  }
  payload.on('data', collect)
  if (!isAnnounced) {
    payload.once('end', complete)
    payload.once('error', (cause) => finish(payload === request ? cause : decodeError(cause)))
  }
  payload.once('close', () => {
    // Create the error only when needed, because an error costs more than all other steps of this function.
    if (!isDone) finish(new GatewayError('REQUEST_MALFORMED', because('bodyEnded')))
  })
  // The watch starts before the first piece, because the sender may already be slow.
  if (announced !== 0) stopWatch = watchPace(request.socket, finish)
}

function decodeError(cause: Error): GatewayError {
  if (cause instanceof GatewayError) return cause
  return new GatewayError('REQUEST_MALFORMED', because('bodyNotDecompressed'), { cause })
}

/** Discards the remaining bytes of a rejected body, so that the client reads the reply. */
function discardRest(payload: Readable, request: IncomingMessage): void {
  if (payload !== request) payload.destroy()
  request.resume()
}

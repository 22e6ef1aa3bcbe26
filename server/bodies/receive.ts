import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { pipeline, type Readable, Transform } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import { GatewayError } from '../../core/errors.ts'
import { because } from '../../core/messages/reasons.ts'
import type { BodyShare } from './budget.ts'
import { watchPace } from './pace.ts'

const DECODERS: ReadonlyMap<string, (options: { chunkSize: number }) => NodeJS.ReadWriteStream> = new Map([
  ['gzip', createGunzip],
  ['x-gzip', createGunzip],
  ['br', createBrotliDecompress],
  ['deflate', createInflate],
])
/** Each piece is a task of another thread and several events: the default of 16 kB takes twice the time. */
const DECODED_CHUNK_BYTES = 64 * 1024

/** No text of people or programs is compressed so much; a few repeated bytes are, a thousand times. */
export const RATIO_MAX = 64
/** A body may decompress to so much in any case. */
const FREE_BYTES = 1024 * 1024

/** Whether the body of a request is compressed in a way that we know. */
export function isCompressed(headers: IncomingHttpHeaders): boolean {
  return DECODERS.has(headers['content-encoding'] ?? '')
}

/**
 * The decompressed body of a request; undefined if the client did not compress it in a way that we know. It emits REQUEST_TOO_LARGE
 * if it is much larger than what the client sent: each byte of it costs time, and the client none.
 */
export function decoded(request: IncomingMessage): Readable | undefined {
  const decoder = DECODERS.get(request.headers['content-encoding'] ?? '')
  if (!decoder) return undefined
  delete request.headers['content-encoding']
  delete request.headers['content-length']
  let sent = 0
  let bytes = 0
  const sending = new Transform({
    transform(piece: Buffer, _encoding, done) {
      sent += piece.length
      done(null, piece)
    },
  })
  const bounded = new Transform({
    transform(piece: Buffer, _encoding, done) {
      bytes += piece.length
      const max = Math.max(FREE_BYTES, sent * RATIO_MAX)
      if (bytes > max) done(new GatewayError('REQUEST_TOO_LARGE', { max }))
      else done(null, piece)
    },
  })
  // The end of one ends the other; the reader of the decompressed body gets the error.
  pipeline(request, sending, decoder({ chunkSize: DECODED_CHUNK_BYTES }), bounded, () => {})
  return bounded
}

/**
 * Collects a body in memory. Calls back once with the bytes, REQUEST_TOO_LARGE, BODIES_LIMITED, BODIES_FULL, BODY_TOO_SLOW, an
 * error of `look`, or the stream's error. A body that arrives in one piece is not counted.
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
    share: () => BodyShare
    /** Called with each piece; rejects the body by throwing. */
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
  let counted: BodyShare | undefined
  let endWatch: (() => void) | undefined
  let isDone = false

  const finish = (error: Error | null, body?: Buffer) => {
    if (isDone) return
    isDone = true
    counted?.release()
    endWatch?.()
    payload.off('data', collect)
    pieces.length = 0
    if (error) discardRest(payload, request)
    done(error, body)
  }
  const complete = () => finish(null, pieces.length === 1 ? (pieces[0] as Buffer) : Buffer.concat(pieces, bytes))
  // Node delivers no more than an HTTP message's announced length. A decompressed body has no announced length.
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
        counted ??= share()
        counted.add(piece.length)
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
    payload.once('error', (cause) => finish(payload === request ? cause : undecodable(cause)))
  }
  payload.once('close', () => {
    // Created only if needed, because an error per request would cost more than all other work here.
    if (!isDone) finish(new GatewayError('REQUEST_MALFORMED', because('bodyEnded')))
  })
  // Starts at once, since the sender may be slow before the first piece.
  if (announced !== 0) endWatch = watchPace(request.socket, finish)
}

function undecodable(cause: Error): GatewayError {
  if (cause instanceof GatewayError) return cause
  return new GatewayError('REQUEST_MALFORMED', because('bodyNotDecompressed'), { cause })
}

/** Discards the rest of a rejected body, so that the client gets the reply. */
function discardRest(payload: Readable, request: IncomingMessage): void {
  if (payload !== request) payload.destroy()
  request.resume()
}

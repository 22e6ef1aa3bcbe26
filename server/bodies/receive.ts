import type { IncomingMessage } from 'node:http'
import { pipeline, type Readable } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import { GatewayError } from '../../core/errors.ts'
import type { BodyShare } from './budget.ts'
import { watchPace } from './pace.ts'

const DECODERS: ReadonlyMap<string, () => NodeJS.ReadWriteStream> = new Map([
  ['gzip', createGunzip],
  ['x-gzip', createGunzip],
  ['br', createBrotliDecompress],
  ['deflate', createInflate],
])

/** The decompressed body of a request; undefined if the client did not compress it in a way that we know. */
export function decoded(request: IncomingMessage): Readable | undefined {
  const decoder = DECODERS.get(request.headers['content-encoding'] ?? '')
  if (!decoder) return undefined
  delete request.headers['content-encoding']
  delete request.headers['content-length']
  const stream = decoder()
  // The end of one ends the other; the reader of the decompressed body gets the error.
  pipeline(request, stream, () => {})
  return stream as unknown as Readable
}

/**
 * Collects a body in memory. Calls back once: with the bytes, or with REQUEST_TOO_LARGE, BODIES_LIMITED, BODIES_FULL,
 * BODY_TOO_SLOW, what `look` throws, or the error of the stream. A body that arrives whole in one piece is not counted.
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
    /** Sees each piece before it is kept, and rejects the body by throwing. */
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
  // What an HTTP message is announced to have is all that Node lets arrive; a decompressed body has no announced length.
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
    // An error for each request would cost more than all else here.
    if (!isDone) finish(new GatewayError('REQUEST_MALFORMED', { reason: 'the body ended early' }))
  })
  // From now on, since a sender may be slow before the first piece, too.
  if (announced !== 0) endWatch = watchPace(request.socket, finish)
}

function undecodable(cause: Error): GatewayError {
  return new GatewayError('REQUEST_MALFORMED', { reason: 'the body cannot be decompressed' }, { cause })
}

/** Lets the rest of a rejected body pass without keeping it, so that the client gets the reply. */
function discardRest(payload: Readable, request: IncomingMessage): void {
  if (payload !== request) payload.destroy()
  request.resume()
}

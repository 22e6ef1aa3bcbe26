import type { IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'
import type { BodyBytes } from '../../bodies/budget.ts'
import { type JsonLimits, JsonScan } from '../../bodies/json-scan.ts'
import { decodeBody, receiveBody } from '../../bodies/receive.ts'

/**
 * Receives and decompresses a JSON body. Calls `done` once: with the body and the number of its keys, or with an error.
 * The error is REQUEST_MALFORMED if the structure exceeds `limits`, or an error of `receiveBody`.
 */
export function receiveJson(
  payload: Readable,
  {
    request,
    bytesMax,
    limits,
    share,
  }: { request: IncomingMessage; bytesMax: number; limits: JsonLimits; share: () => BodyBytes },
  done: (error: Error | null, body: Buffer | undefined, keys: number) => void,
): void {
  const scan = new JsonScan(limits)
  const scanChunk = (piece: Buffer) => scan.read(piece)
  receiveBody(decodeBody(request) ?? payload, { request, bytesMax, share, look: scanChunk }, (error, body) =>
    done(error, body, scan.keys),
  )
}

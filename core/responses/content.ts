import { promisify } from 'node:util'
import { constants, deflateRaw, inflateRaw } from 'node:zlib'
import type { Secrets } from '../secrets.ts'

const pack = promisify(deflateRaw)
const unpack = promisify(inflateRaw)

/** A JSON object that clients send and receive. */
export type JsonObject = Readonly<Record<string, unknown>>

/** The unpacked content of a row. */
export interface Content {
  /** The response as sent to the client, including its output. Absent if a client added the items to a conversation. */
  readonly response?: JsonObject
  /** The input of this request alone, without the responses that the request continues. */
  readonly input: readonly JsonObject[]
  /** Paths of content that was omitted because of its size, such as `input[2].content[0]`. */
  readonly omitted: readonly string[]
}

/** Compresses JSON text, to about a quarter of its size, and encrypts the result. */
export async function sealContent(secrets: Pick<Secrets, 'sealBytes'>, json: string): Promise<Buffer> {
  return secrets.sealBytes(await pack(json, { level: constants.Z_BEST_SPEED }))
}

/** Returns the parsed JSON that was passed to `sealContent`. Throws if it was sealed with another key. */
export async function openContent<T>(secrets: Pick<Secrets, 'openBytes'>, sealed: Buffer): Promise<T> {
  return JSON.parse((await unpack(secrets.openBytes(sealed))).toString('utf8')) as T
}

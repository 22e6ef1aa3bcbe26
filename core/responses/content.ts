import { promisify } from 'node:util'
import { constants, deflateRaw, inflateRaw } from 'node:zlib'
import type { Secrets } from '../secrets.ts'

const pack = promisify(deflateRaw)
const unpack = promisify(inflateRaw)

/** A JSON object that clients send and receive. */
export type JsonObject = Readonly<Record<string, unknown>>

/** The unpacked content of a row. */
export interface Content {
  /** As sent to the client, including output; absent for items that a client added to a conversation. */
  readonly response?: JsonObject
  /** The input of this request alone, without the input that it continues. */
  readonly input: readonly JsonObject[]
  /** Places of content omitted because of its size: `input[2].content[0]`. */
  readonly omitted: readonly string[]
}

/** Compresses text to about a quarter, and encrypts it. */
export async function sealContent(secrets: Pick<Secrets, 'sealBytes'>, json: string): Promise<Buffer> {
  return secrets.sealBytes(await pack(json, { level: constants.Z_BEST_SPEED }))
}

/** Returns the JSON passed to `sealContent`. Throws if it was sealed with another key. */
export async function openContent<T>(secrets: Pick<Secrets, 'openBytes'>, sealed: Buffer): Promise<T> {
  return JSON.parse((await unpack(secrets.openBytes(sealed))).toString('utf8')) as T
}

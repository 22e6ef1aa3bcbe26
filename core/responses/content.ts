import { promisify } from 'node:util'
import { constants, deflateRaw, inflateRaw } from 'node:zlib'
import type { Secrets } from '../secrets.ts'

const pack = promisify(deflateRaw)
const unpack = promisify(inflateRaw)

export type JsonObject = Readonly<Record<string, unknown>>

/** The content of a stored response. `sealContent` stores its JSON. */
export interface ResponseContent {
  /** The response as the client got it, with its output. Absent if a client added the items to a conversation. */
  readonly response?: JsonObject
  /** The input of this request, without the input of the responses that it continues. */
  readonly input: readonly JsonObject[]
  /** Paths of content that was too large to be stored, such as `input[2].content[0]`. */
  readonly omitted: readonly string[]
}

/** Compresses JSON text to about a quarter, and encrypts it. */
export async function sealContent(secrets: Pick<Secrets, 'sealBytes'>, json: string): Promise<Buffer> {
  return secrets.sealBytes(await pack(json, { level: constants.Z_BEST_SPEED }))
}

/** Decrypts, decompresses and parses a result of `sealContent`. Throws if it was sealed with another key. */
export async function openContent<T>(secrets: Pick<Secrets, 'openBytes'>, sealed: Buffer): Promise<T> {
  return JSON.parse((await unpack(secrets.openBytes(sealed))).toString('utf8'))
}

import { promisify } from 'node:util'
import { constants, deflateRaw, inflateRaw } from 'node:zlib'
import type { Secrets } from '../secrets.ts'

const pack = promisify(deflateRaw)
const unpack = promisify(inflateRaw)

/** An object of the JSON that clients send and receive. */
export type JsonObject = Readonly<Record<string, unknown>>

/** What a row holds, before it is packed. */
export interface Content {
  /** As its client received it, output included; absent for items that a client has added to a conversation. */
  readonly response?: JsonObject
  /** What the client sent with this request alone, not what it goes on from. */
  readonly input: readonly JsonObject[]
  /** Where content was left out because of its size: `input[2].content[0]`. */
  readonly omitted: readonly string[]
}

/** Text is packed to about a quarter, and encrypted. */
export async function sealContent(secrets: Pick<Secrets, 'sealBytes'>, json: string): Promise<Buffer> {
  return secrets.sealBytes(await pack(json, { level: constants.Z_BEST_SPEED }))
}

/** The JSON that `sealContent` was given. Throws for what was sealed with another key. */
export async function openContent<T>(secrets: Pick<Secrets, 'openBytes'>, sealed: Buffer): Promise<T> {
  return JSON.parse((await unpack(secrets.openBytes(sealed))).toString('utf8')) as T
}

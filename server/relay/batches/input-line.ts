import { GatewayError } from '../../../core/errors.ts'
import { parseObject } from '../../../core/input.ts'
import { because } from '../../../core/messages/reasons.ts'
import { isRecord } from '../../../core/records.ts'
import { type Json, textOf } from '../json.ts'
import { refusal } from './admit-request.ts'

/** Maximum length of an id. All ids are in memory while the file is read. */
const CUSTOM_ID_LENGTH_MAX = 512
/** A lone surrogate, which JSON can contain as an escape. */
const LONE_SURROGATE = /\p{Surrogate}/u

/** A request in the input file of an OpenAI batch. */
export interface InputLine {
  readonly customId: string
  readonly body: Json
}

/** Parses a line of a batch's input file. Throws REQUEST_MALFORMED. */
export function readLine(bytes: Buffer, endpoint: string): InputLine {
  const line = parseObject(bytes.toString('utf8'))
  if (!line) throw new GatewayError('REQUEST_MALFORMED', because('notJsonObject'))
  const customId = textOf(line.custom_id)
  if (customId === undefined) throw refusal('field custom_id is required')
  // Upstreams replace every lone surrogate by the same character. Then different ids would become equal, and only one
  // request would be charged.
  if (LONE_SURROGATE.test(customId)) throw refusal('custom_id must not contain half of a surrogate pair', 'custom_id')
  if (customId.length > CUSTOM_ID_LENGTH_MAX) {
    throw refusal(`custom_id can have at most ${CUSTOM_ID_LENGTH_MAX} characters`, 'custom_id')
  }
  if (line.method !== 'POST') throw refusal('method must be POST')
  if (line.url !== endpoint) throw refusal(`url must be ${endpoint}, the endpoint of the batch`)
  if (!isRecord(line.body)) throw refusal('body must be an object')
  return { customId, body: line.body }
}

import { GatewayError } from '../../../core/errors.ts'
import { parseObject } from '../../../core/input.ts'
import { because } from '../../../core/messages/reasons.ts'
import { isRecord } from '../../../core/records.ts'
import { refuse } from '../dialects/refuse.ts'
import { type Json, textOf } from '../json.ts'

/** Maximum length of an id, because all ids are in memory while the file is read. */
const CUSTOM_ID_LENGTH_MAX = 512
/** Matches a lone surrogate, which JSON can contain as an escape. */
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
  if (customId === undefined) refuse('field custom_id is required')
  // Upstreams replace every lone surrogate by the same character, which would make different ids equal. Only one
  // request with an id is charged.
  if (LONE_SURROGATE.test(customId)) refuse('custom_id must not contain half of a surrogate pair', 'custom_id')
  if (customId.length > CUSTOM_ID_LENGTH_MAX) {
    refuse(`custom_id can have at most ${CUSTOM_ID_LENGTH_MAX} characters`, 'custom_id')
  }
  if (line.method !== 'POST') refuse('method must be POST')
  if (line.url !== endpoint) refuse(`url must be ${endpoint}, the endpoint of the batch`)
  if (!isRecord(line.body)) refuse('body must be an object')
  return { customId, body: line.body }
}

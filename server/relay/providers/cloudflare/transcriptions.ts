import { GatewayError } from '../../../../core/errors.ts'
import { defined, type Json, objectOf } from '../../json.ts'

/** Throws REQUEST_MALFORMED for unsupported reply formats. */
export function refuseFormats({ response_format }: Readonly<Json>): void {
  if (response_format === undefined || response_format === 'json' || response_format === 'verbose_json') return
  const reason = 'response_format: this upstream answers json and verbose_json; ask for one of them'
  throw new GatewayError('REQUEST_MALFORMED', { reason })
}

/** Converts the reply to OpenAI's shape. */
export function transcriptionOf({ result }: Json, { response_format }: Readonly<Json>): Json {
  const { text = '', words } = objectOf(result)
  return response_format === 'verbose_json' ? defined({ text, words }) : { text }
}

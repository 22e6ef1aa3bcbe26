import { GatewayError } from '../../../../core/errors.ts'
import { recordOf } from '../../../../core/records.ts'
import { defined, type Json, textOf } from '../../json.ts'

/** Returns an images request. Throws REQUEST_MALFORMED for several images, because Workers AI generates only one. */
export function imageBody({ prompt, size, n, seed, negative_prompt, num_steps, guidance }: Readonly<Json>): Json {
  if (typeof n === 'number' && n > 1) {
    throw new GatewayError('REQUEST_MALFORMED', { reason: 'n: this upstream makes one picture at a time; ask for 1' })
  }
  const [width, height] =
    textOf(size)
      ?.match(/^(\d{1,5})x(\d{1,5})$/)
      ?.slice(1)
      .map(Number) ?? []
  return defined({ prompt, width, height, seed, negative_prompt, num_steps, guidance })
}

/** Converts a JSON reply to OpenAI's format. */
export function imageOf({ result }: Json, created: number): Json {
  return { created, data: [{ b64_json: textOf(recordOf(result).image) ?? '' }] }
}

export function imageFromBytes(bytes: Buffer, created: number): Json {
  return { created, data: [{ b64_json: bytes.toString('base64') }] }
}

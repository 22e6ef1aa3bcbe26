import { GatewayError } from '../../../../core/errors.ts'
import type { Body } from '../../dialects/dialect.ts'
import { arrayOf, defined, objectOf } from '../../json.ts'

const INPUTS_MAX = 16

/** OpenAI's embeddings request in Baidu's words. Throws REQUEST_MALFORMED for anything but up to 16 texts. */
export function baiduEmbeddingsBody({ input, user }: Body): Record<string, unknown> {
  const texts = typeof input === 'string' ? [input] : arrayOf(input)
  if (texts.length === 0 || texts.some((text) => typeof text !== 'string')) {
    throw new GatewayError('REQUEST_MALFORMED', {
      reason: 'input: this model takes texts only; send a text or a list of texts',
    })
  }
  if (texts.length > INPUTS_MAX) {
    throw new GatewayError('REQUEST_MALFORMED', {
      reason: `input: this model takes up to ${INPUTS_MAX} texts in one request, not ${texts.length}; send several requests`,
    })
  }
  return defined({ input: texts, user_id: typeof user === 'string' ? user : undefined })
}

/** Baidu's answer with the fields of OpenAI's that it lacks. */
export function baiduEmbeddings(body: Record<string, unknown>, model: string): Record<string, unknown> {
  return { object: 'list', data: body.data, model, usage: objectOf(body.usage) }
}

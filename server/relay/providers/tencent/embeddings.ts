import { GatewayError } from '../../../../core/errors.ts'
import type { Body } from '../../dialects/dialect.ts'
import { type Json, objectOf } from '../../json.ts'
import { errorBodyOf } from '../trouble.ts'
import { unwrapped } from './chat-reader.ts'
import { tencentError } from './errors.ts'
import { withSnakeNames } from './field-names.ts'

const INPUTS_MAX = 200

/**
 * OpenAI's embeddings request as GetEmbedding, which serves one model and is not told its name. Throws REQUEST_MALFORMED
 * for anything but up to 200 texts. https://cloud.tencent.com/document/api/1729/102832
 */
export function hunyuanEmbeddingsBody({ input }: Body): Record<string, unknown> {
  if (typeof input === 'string') return { Input: input }
  if (Array.isArray(input) && input.length > 0 && input.every((text) => typeof text === 'string')) {
    if (input.length <= INPUTS_MAX) return { InputList: input }
    throw new GatewayError('REQUEST_MALFORMED', {
      reason: `input: this model takes up to ${INPUTS_MAX} texts in one request, not ${input.length}; send several requests`,
    })
  }
  throw new GatewayError('REQUEST_MALFORMED', {
    reason: 'input: this model takes texts only; send a text or a list of texts',
  })
}

/** Its answer in OpenAI's shape, or its error. */
export function hunyuanEmbeddings(body: Json, model: string): Json {
  const error = tencentError(body)
  if (error) return errorBodyOf(error)
  const { data, usage } = withSnakeNames(unwrapped(body))
  return { object: 'list', data, model, usage: objectOf(usage) }
}

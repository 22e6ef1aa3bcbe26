import type { Body } from './dialects/dialect.ts'

/** Where OpenRouter is told which other models may answer: https://openrouter.ai/docs/features/model-routing */
const OTHER_MODELS = ['models', 'fallbacks', 'route'] as const

/**
 * A request that only the model which it asks for may answer: the caller pays that one's price, and which model it is at an
 * upstream is for the operator to say. The very same bytes where it names no others.
 */
export function withoutOtherModels(request: { raw: Buffer; body: Body }): { raw: Buffer; body: Body } {
  if (!OTHER_MODELS.some((name) => name in request.body)) return request
  const { models: _, fallbacks: __, route: ___, ...body } = request.body
  return { raw: Buffer.from(JSON.stringify(body)), body }
}

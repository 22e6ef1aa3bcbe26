import type { Body } from '../dialects/dialect.ts'

/**
 * Where OpenRouter is told which other models may answer, as upstreams may spell it, or which settings of the operator's account name them:
 * https://openrouter.ai/docs/features/model-routing, https://openrouter.ai/docs/features/presets
 */
const OTHER_MODELS = /^(models|fallbacks|route|preset)$/iu

/**
 * A request that only the model which it asks for may answer: the caller pays that one's price, and which model it is at an
 * upstream is for the operator to say. The very same bytes where it names no others.
 */
export function withoutOtherModels(request: { raw: Buffer; body: Body }): { raw: Buffer; body: Body } {
  const others = Object.keys(request.body).filter((name) => OTHER_MODELS.test(name))
  if (others.length === 0) return request
  const body = Object.fromEntries(Object.entries(request.body).filter(([name]) => !others.includes(name)))
  return { raw: Buffer.from(JSON.stringify(body)), body }
}

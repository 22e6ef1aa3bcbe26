import { Type } from 'typebox'

const RelayError = Type.Object(
  {
    error: Type.Object({
      message: Type.String(),
      type: Type.String(),
      param: Type.Union([Type.String(), Type.Null()]),
      code: Type.Union([Type.String(), Type.Null()]),
    }),
  },
  { description: "A refusal, in OpenAI's shape" },
)
const BY_KEY = [{ apiKey: [] }]

/** How a route that programs call stands in the OpenAPI document. What it answers is the upstream's business. */
export function described(summary: string, security: Record<string, string[]>[] = BY_KEY) {
  const response = { 200: { description: 'The answer of the upstream, as JSON or as a stream of events' } }
  return { tags: ['relay'], summary, security, response: { ...response, '4xx': RelayError, '5xx': RelayError } }
}

import type { FastifyContextConfig } from 'fastify'
import { type TSchema, Type } from 'typebox'
import type { DialectName } from '../../core/channels/routing/operations.ts'

const OpenAiError = Type.Object(
  {
    error: Type.Object({
      message: Type.String(),
      type: Type.String(),
      param: Type.Union([Type.String(), Type.Null()]),
      code: Type.Union([Type.String(), Type.Null()]),
    }),
  },
  { title: 'OpenAiError', description: "An error in OpenAI's format" },
)
const AnthropicError = Type.Object(
  {
    type: Type.Literal('error'),
    error: Type.Object({ type: Type.String(), message: Type.String() }),
    request_id: Type.String(),
  },
  { title: 'AnthropicError', description: "An error in Anthropic's format" },
)
const GeminiError = Type.Object(
  { error: Type.Object({ code: Type.Integer(), message: Type.String(), status: Type.String() }) },
  { title: 'GeminiError', description: "An error in Google's format" },
)
const ERRORS: Record<DialectName, TSchema> = {
  'openai-chat': OpenAiError,
  'openai-completions': OpenAiError,
  'openai-responses': OpenAiError,
  'anthropic-messages': AnthropicError,
  gemini: GeminiError,
}
const SUCCESS = { description: 'The reply of the upstream, as JSON or as an event stream' }
const BY_KEY = [{ apiKey: [] }]
const REPLIES = Object.fromEntries(
  Object.entries(ERRORS).map(([dialect, errorSchema]) => [
    dialect,
    {
      200: SUCCESS,
      401: { ...errorSchema, description: 'The key is missing, unknown, disabled or expired' },
      431: { ...errorSchema, description: 'The headers of the request are too large' },
      '4xx': errorSchema,
      '5xx': errorSchema,
    },
  ]),
)

/**
 * Returns the OpenAPI schema of a relay route. Lists only errors in detail, because a successful reply depends on the
 * upstream.
 */
export function relayRouteSchema(
  summary: string,
  { dialect = 'openai-chat', security = BY_KEY }: { dialect?: DialectName; security?: Record<string, string[]>[] } = {},
) {
  return { tags: ['relay'], summary, security, response: REPLIES[dialect] }
}

/** Returns the options of a relay route. */
export function relayRoute(summary: string, config: FastifyContextConfig = {}) {
  return { config, schema: relayRouteSchema(summary, config) }
}

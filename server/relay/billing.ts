import fastifyCompress from '@fastify/compress'
import type { FastifyPluginAsync, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { GatewayError } from '../../core/errors.ts'
import type { LocalToolkit } from '../../core/toolkit.ts'
import { setErrorHeaders } from '../api/envelope.ts'
import type { RequestLimiter } from '../api/limits.ts'
import { queryOf } from './admission/admission.ts'
import { apiKeyOf } from './admission/authenticate.ts'
import { budgetOfKey } from './admission/key-budget.ts'

/** The billing limits of an API key, in dollars, or in quota if the gateway does not display quota in dollars. */
const Subscription = Type.Object({
  object: Type.Literal('billing_subscription'),
  has_payment_method: Type.Boolean(),
  soft_limit_usd: Type.Number(),
  hard_limit_usd: Type.Number(),
  system_hard_limit_usd: Type.Number(),
  access_until: Type.Integer({ description: 'unix seconds; 0 = no expiry' }),
})
const Usage = Type.Object({
  object: Type.Literal('list'),
  total_usage: Type.Number({ description: 'used amount times 100, in the unit of the subscription' }),
})

const ROOT = '/dashboard/billing'

/** Routes that return the limit and usage of an API key, in the format of OpenAI's former billing API. */
export const billingRoutes: FastifyPluginAsync<{ toolkit: LocalToolkit; limiter: RequestLimiter }> = async (
  app,
  { toolkit, limiter },
) => {
  await app.register(fastifyCompress, { encodings: ['gzip'] })
  app.addHook('onRequest', limiter)
  app.setErrorHandler((error, _request, reply) => {
    // OpenAI's error body cannot show each error code of the gateway. The command line reads the code from a header.
    if (error instanceof GatewayError) setErrorHeaders(reply, error)
    // All routes with this rate limit send the status 429 without a body.
    if (error instanceof GatewayError && error.code === 'RATE_LIMITED') return reply.code(429).send()
    throw error
  })

  const budgetOf = (request: FastifyRequest) =>
    budgetOfKey(toolkit, apiKeyOf(request.headers, queryOf(request)), request.ip)

  const schema = (replySchema: typeof Subscription | typeof Usage) => ({
    tags: ['billing'],
    security: [{ apiKey: [] }],
    response: { 200: replySchema },
  })
  for (const root of [ROOT, `/v1${ROOT}`]) {
    app.get(`${root}/subscription`, { schema: schema(Subscription) }, async (request) => {
      const { limit, accessUntil } = await budgetOf(request)
      return {
        object: 'billing_subscription',
        has_payment_method: true,
        soft_limit_usd: limit,
        hard_limit_usd: limit,
        system_hard_limit_usd: limit,
        access_until: accessUntil,
      }
    })
    app.get(`${root}/usage`, { schema: schema(Usage) }, async (request) => {
      const { used } = await budgetOf(request)
      return { object: 'list', total_usage: used * 100 }
    })
  }
}

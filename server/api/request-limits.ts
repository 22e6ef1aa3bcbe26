import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { LIMIT_SUBJECTS, type LimitSubject } from '../../core/limits/limit.ts'
import { LearnedLimit, Limit, LimitStatus, NewLimit } from '../../core/limits/schema.ts'
import { Envelope, ok } from './envelope.ts'
import { IdParams } from './fields.ts'
import type { ApiParts } from './parts.ts'
import { describeRoutes } from './route.ts'

const LIMITS_MAX = 100

const Query = Type.Object({
  subject: Type.Optional(Type.Unsafe<LimitSubject>(Type.String({ enum: [...LIMIT_SUBJECTS] }))),
  subject_id: Type.Optional(
    Type.String({
      maxLength: 255,
      description: 'the reply also includes the default limits that apply to this subject',
    }),
  ),
})

/**
 * Routes of limits on requests, tokens, quota and concurrency. Administrators manage all limits. Users manage the
 * limits of their own keys and account.
 */
export const requestLimitRoutes: FastifyPluginAsyncTypebox<ApiParts> = async (app, { toolkit: { limits } }) => {
  const user = describeRoutes('limit', 'user')
  const admin = describeRoutes('limit', 'admin')

  const list = user('All limits; users see only the limits of their own keys and account', {
    querystring: Query,
    reply: Envelope(Type.Array(Limit)),
  })
  app.get('/api/limit/', list, async ({ actor, query }) => ok(await limits.list(actor, query)))

  const status = user('The usage of each limit', { querystring: Query, reply: Envelope(Type.Array(LimitStatus)) })
  app.get('/api/limit/status', status, async ({ actor, query }) => ok(await limits.status(actor, query)))

  const learned = admin('The limits that upstreams report in reply headers', {
    reply: Envelope(Type.Array(LearnedLimit)),
  })
  app.get('/api/limit/learned', learned, async ({ actor }) => ok(await limits.learned(actor)))

  const set = user(
    'Sets all limits or none. Each limit replaces an existing one with the same subject, measure and period',
    {
      body: Type.Object({ limits: Type.Array(NewLimit, { minItems: 1, maxItems: LIMITS_MAX }) }),
      reply: Envelope(Type.Array(Limit)),
    },
  )
  app.put('/api/limit/', set, async ({ actor, body }) => ok(await limits.set(actor, body.limits)))

  const remove = user('Removes a limit', { params: IdParams, reply: Envelope(Limit) })
  app.delete('/api/limit/:id', remove, async ({ actor, params }) => ok(await limits.remove(actor, params.id)))
}

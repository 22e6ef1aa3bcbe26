import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { DashboardCount } from '../../core/logs/schema.ts'
import { Envelope, ok } from './envelope.ts'
import { Text } from './fields.ts'
import type { ApiParts } from './parts.ts'

const Range = {
  start_timestamp: Type.Optional(Type.Integer({ description: 'unix seconds, inclusive' })),
  end_timestamp: Type.Optional(
    Type.Integer({ description: 'unix seconds, inclusive; absent is 0, which finds nothing' }),
  ),
}

/** Counts for the dashboard: consumption by model and hour. */
export const dataRoutes: FastifyPluginAsyncTypebox<ApiParts> = async (app, { toolkit: { logs } }) => {
  const response = { 200: Envelope(Type.Array(DashboardCount)) }
  const tags = ['data']

  const everybody = {
    tags,
    summary: "Everybody's consumption added up, or one user's",
    querystring: Type.Object({ ...Range, username: Type.Optional(Text) }),
    response,
  }
  app.get('/api/data/', { config: { access: 'admin' }, schema: everybody }, async ({ actor, query }) => {
    const { start_timestamp: start = 0, end_timestamp: end = 0, username = '' } = query
    return ok(await logs.counts(actor, { start, end, username }))
  })

  const own = { tags, summary: 'The own consumption of at most 30 days', querystring: Type.Object(Range), response }
  app.get('/api/data/self', { config: { access: 'user' }, schema: own }, async ({ actor, query }) => {
    const { start_timestamp: start = 0, end_timestamp: end = 0 } = query
    return ok(await logs.ownCounts(actor, { start, end }))
  })
}

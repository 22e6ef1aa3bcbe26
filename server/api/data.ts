import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { type Static, Type } from 'typebox'
import { ROLE } from '../../core/actor.ts'
import { DashboardCount } from '../../core/logs/schema.ts'
import type { DashboardQuery } from '../../core/logs/usage/dashboard.ts'
import { GROUPINGS, type Grouping, METRICS, type Metric } from '../../core/logs/usage/groupings.ts'
import { Dashboard } from '../../core/logs/usage/schema.ts'
import { dashboardTag, knownVersion } from './dashboard-tag.ts'
import { Envelope, ok } from './envelope.ts'
import { Text } from './fields.ts'
import { forUser } from './log-filter.ts'
import type { ApiParts } from './parts.ts'
import { readableLogs } from './readable-logs.ts'
import { describeRoutes } from './route.ts'

const Range = {
  start_timestamp: Type.Optional(Type.Integer({ description: 'unix seconds, inclusive' })),
  end_timestamp: Type.Optional(Type.Integer({ description: 'unix seconds, inclusive; if absent, nothing is found' })),
}

/** Query fields that select and group the data of a dashboard. */
export const DASHBOARD_RANGE = {
  last_hours: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 2208, description: 'absent: 24, unless start_timestamp is set' }),
  ),
  start_timestamp: Type.Optional(Type.Integer({ minimum: 0, description: 'unix seconds; replaces last_hours' })),
  end_timestamp: Type.Optional(Type.Integer({ minimum: 0, description: 'unix seconds, inclusive; absent: now' })),
  by: Type.Optional(Type.Unsafe<Grouping>({ type: 'string', enum: [...GROUPINGS] })),
  metric: Type.Optional(
    Type.Unsafe<Metric>({ type: 'string', enum: [...METRICS], description: 'metric by which groups are ranked' }),
  ),
}
const DashboardRange = Type.Object(DASHBOARD_RANGE)

export function dashboardQueryOf<By extends Grouping>({
  last_hours,
  start_timestamp,
  end_timestamp,
  by,
  metric = 'quota',
}: Omit<Static<typeof DashboardRange>, 'by'> & { by?: By }): Pick<
  DashboardQuery,
  'start' | 'end' | 'lastHours' | 'metric'
> & { by: By | 'model' } {
  return {
    ...(start_timestamp !== undefined && { start: start_timestamp }),
    ...(end_timestamp !== undefined && { end: end_timestamp }),
    lastHours: last_hours ?? 24,
    by: by ?? 'model',
    metric,
  }
}

export const dataRoutes: FastifyPluginAsyncTypebox<ApiParts> = async (app, { toolkit: { logs, options } }) => {
  const admin = describeRoutes('data', 'admin')
  const user = describeRoutes('data', 'user')
  app.addHook('preSerialization', readableLogs(options))
  const counts = Envelope(Type.Array(DashboardCount))

  const everybody = admin('Consumption of all users, or of one user', {
    querystring: Type.Object({ ...Range, username: Type.Optional(Text) }),
    reply: counts,
  })
  app.get('/api/data/', everybody, async ({ actor, query }) => {
    const { start_timestamp: start = 0, end_timestamp: end = 0, username = '' } = query
    return ok(await logs.counts(actor, { start, end, username }))
  })

  const own = user("The user's own consumption of at most 30 days", {
    querystring: Type.Object(Range),
    reply: counts,
  })
  app.get('/api/data/self', own, async ({ actor, query }) => {
    const { start_timestamp: start = 0, end_timestamp: end = 0 } = query
    return ok(await logs.ownCounts(actor, { start, end }))
  })

  const dashboard = {
    tags: ['data'],
    summary: "Data of the console's dashboard, about the user's own relays or the relays of all users",
    description:
      'Returns 304 without a body if `If-None-Match` has the `ETag` of the last reply and nothing has changed',
    querystring: Type.Object({
      scope: Type.Optional(
        Type.Union([Type.Literal('own'), Type.Literal('all')], { description: 'all: for administrators' }),
      ),
      username: Type.Optional(
        Type.String({ maxLength: 1000, description: 'for administrators: the relays of this user' }),
      ),
      ...DASHBOARD_RANGE,
    }),
    response: { 200: Envelope(Dashboard), 304: { description: 'Nothing has changed', type: 'null' } },
  }
  app.get('/api/data/dashboard', { config: { access: 'user' }, schema: dashboard }, async (request, reply) => {
    const { scope = 'own', username } = request.query
    const query = { scope, ...(username && { username }), ...dashboardQueryOf(request.query) }
    const { version, data } = await logs.dashboard(request.actor, query, knownVersion(request))
    reply.header('etag', dashboardTag(request, version))
    if (!data) return reply.code(304).send(null)
    const isAdmin = request.actor.role >= ROLE.admin
    return ok(isAdmin ? data : { ...data, newest: data.newest.map(forUser) })
  })
}

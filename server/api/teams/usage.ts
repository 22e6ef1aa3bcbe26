import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { Log, LogStat } from '../../../core/logs/schema.ts'
import { RequestTrace } from '../../../core/logs/trace-schema.ts'
import { TEAM_GROUPINGS, type TeamGrouping } from '../../../core/logs/usage/groupings.ts'
import { Dashboard } from '../../../core/logs/usage/schema.ts'
import { dashboardTag, knownVersion } from '../dashboard-tag.ts'
import { DASHBOARD_RANGE, dashboardQueryOf } from '../data.ts'
import { Envelope, ok, PageOf } from '../envelope.ts'
import { Id, IdParams, int32Field, PageFields, pagingOf, Text } from '../fields.ts'
import { forUser, LogFilterFields, traceForUser } from '../log-filter.ts'
import type { ApiParts } from '../parts.ts'
import { readableLogs } from '../readable-logs.ts'
import { describeRoutes } from '../route.ts'

const PAGE_SIZE_MAX = 100
const MemberFilter = {
  member_id: int32Field('for owner and admins: only keys of this member; 0: all keys'),
}
const { username: _username, channel: _channel, ...TeamFilterFields } = LogFilterFields
const Filter = Type.Object({ ...TeamFilterFields, ...MemberFilter })
const Query = Type.Object({
  ...PageFields,
  ...TeamFilterFields,
  ...MemberFilter,
})

const memberOf = ({ member_id = 0 }: { member_id?: number }) => (member_id > 0 ? { memberId: member_id } : {})

/**
 * Routes of the usage of a team. Owner and admins see the whole usage. Members see only the usage of their own keys.
 */
export const teamUsageRoutes: FastifyPluginAsyncTypebox<ApiParts> = async (app, { toolkit: { teams, options } }) => {
  const user = describeRoutes('team', 'user')
  app.addHook('preSerialization', readableLogs(options))

  const logs = user('Log rows of a team, newest first', {
    params: IdParams,
    querystring: Query,
    reply: Envelope(PageOf(Log)),
  })
  app.get('/api/team/:id/logs', logs, async ({ actor, params, query }) => {
    const { member_id, pageSize, ...conditions } = pagingOf(query)
    const filter = { ...conditions, ...memberOf(query), pageSize: Math.min(pageSize, PAGE_SIZE_MAX) }
    const result = await teams.usage.logs(actor, params.id, filter)
    return ok({ ...result, items: result.items.map(forUser) })
  })

  const stat = user('The usage and rate of a team', { params: IdParams, querystring: Filter, reply: Envelope(LogStat) })
  app.get('/api/team/:id/logs/stat', stat, async ({ actor, params, query }) => {
    const { member_id, ...conditions } = query
    return ok(await teams.usage.stat(actor, params.id, { ...conditions, ...memberOf(query) }))
  })

  const request = user('The attempts and receipt of one request of a team', {
    params: Type.Object({ id: Id, request_id: Text }),
    reply: Envelope(RequestTrace),
  })
  app.get('/api/team/:id/logs/request/:request_id', request, async ({ actor, params }) =>
    ok(traceForUser(await teams.usage.request(actor, params.id, params.request_id))),
  )

  const dashboard = {
    tags: ['team'],
    summary: 'Dashboard data of a team',
    description:
      'Returns 304 without a body if `If-None-Match` has the `ETag` of the last reply and nothing has changed',
    params: IdParams,
    querystring: Type.Object({
      ...DASHBOARD_RANGE,
      by: Type.Optional(Type.Unsafe<TeamGrouping>({ type: 'string', enum: [...TEAM_GROUPINGS] })),
      ...MemberFilter,
    }),
    response: { 200: Envelope(Dashboard), 304: { description: 'Nothing has changed', type: 'null' } },
  }
  app.get('/api/team/:id/dashboard', { config: { access: 'user' }, schema: dashboard }, async (request, reply) => {
    const { actor, params, query } = request
    const dashboardQuery = { ...dashboardQueryOf(query), ...memberOf(query) }
    const { version, data } = await teams.usage.dashboard(actor, params.id, dashboardQuery, knownVersion(request))
    reply.header('etag', dashboardTag(request, version))
    if (!data) return reply.code(304).send(null)
    return ok({ ...data, newest: data.newest.map(forUser) })
  })
}

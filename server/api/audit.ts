import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { AUDIT_ACTIONS } from '../../core/audit/actions.ts'
import { AuditEntry } from '../../core/audit/schema.ts'
import { Envelope, ok } from './envelope.ts'
import type { ApiParts } from './parts.ts'
import { describeRoutes } from './route.ts'

const ENTRY_ID = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })
const text = (description: string) => Type.Optional(Type.String({ maxLength: 255, description }))
const seconds = Type.Optional(Type.Integer({ description: 'unix seconds, inclusive' }))
const Query = Type.Object({
  actor: text('a user name, or a user id'),
  action: text(`an action, or the part before its dot: ${AUDIT_ACTIONS.join(', ')}`),
  object: text('an object such as `channel:7`, or a kind of objects'),
  start_timestamp: seconds,
  end_timestamp: seconds,
  before_id: Type.Optional({ ...ENTRY_ID, description: 'only smaller ids; for the next page, pass the last id' }),
  after_id: Type.Optional({ ...ENTRY_ID, description: 'only larger ids, oldest first' }),
  page_size: Type.Optional(Type.Integer({ description: '10 if absent, at most 1000' })),
})

export const auditRoutes: FastifyPluginAsyncTypebox<ApiParts> = async (app, { toolkit: { audit } }) => {
  const root = describeRoutes('audit', 'root')
  const list = root('Actions of administrators, newest first', {
    querystring: Query,
    reply: Envelope(Type.Array(AuditEntry)),
  })
  app.get('/api/audit', list, async ({ actor, query }) => {
    const { start_timestamp: from, end_timestamp: to, before_id: beforeId, after_id: afterId, ...filter } = query
    const { page_size: pageSize, ...names } = filter
    return ok(await audit.list(actor, { ...names, from, to, beforeId, afterId, pageSize }))
  })
}

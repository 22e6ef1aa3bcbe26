import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { ManagementKey } from '../../core/management-keys/schema.ts'
import { Envelope, ok, PageOf } from './envelope.ts'
import { IdParams, PageFields, pagingOf, QUOTA_SCHEMA, Text } from './fields.ts'
import type { ApiParts } from './parts.ts'
import { describeRoutes } from './route.ts'

const CreatedKey = Type.Intersect([
  ManagementKey,
  Type.Object({ key: Type.String({ description: 'returned only by this call' }) }),
])
const Query = Type.Object({
  ...PageFields,
  everybody: Type.Optional(Type.Boolean({ description: 'for root: the keys of all users' })),
})
const NewKey = Type.Object({
  name: Text,
  scopes: Type.Array(Type.String({ maxLength: 64 }), {
    maxItems: 100,
    description: 'noun:verb, such as codes:create or channels:read; * in either position means all',
  }),
  quota_max: Type.Optional(Type.Union([QUOTA_SCHEMA, Type.Null()])),
  expires_at: Type.Optional(Type.Integer({ description: 'unix seconds; -1: never' })),
})

/**
 * Routes to list, create and revoke management keys. A management key may call only the routes of its scopes, and never
 * these routes.
 */
export const managementKeyRoutes: FastifyPluginAsyncTypebox<ApiParts> = async (
  app,
  { toolkit: { managementKeys } },
) => {
  const user = describeRoutes('api-key', 'user')

  const list = user('Your management keys, newest first, including revoked keys', {
    querystring: Query,
    reply: Envelope(PageOf(ManagementKey)),
  })
  app.get('/api/api-key/', list, async ({ actor, query }) => ok(await managementKeys.list(actor, pagingOf(query))))

  const create = user('Creates a management key, which is returned only once', {
    body: NewKey,
    reply: Envelope(CreatedKey),
  })
  app.post('/api/api-key/', create, async ({ actor, body }) => ok(await managementKeys.create(actor, body)))

  const revoke = user('Revokes a management key permanently', { params: IdParams, reply: Envelope(ManagementKey) })
  app.delete('/api/api-key/:id', revoke, async ({ actor, params }) => ok(await managementKeys.revoke(actor, params.id)))
}

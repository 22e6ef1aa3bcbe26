import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { Group } from '../../core/groups/schema.ts'
import { Envelope, ok } from './envelope.ts'
import type { ApiParts } from './parts.ts'
import { describeRoutes } from './route.ts'

const Usable = Type.Record(
  Type.String(),
  Type.Object({ ratio: Type.Number({ description: 'price multiplier' }), desc: Type.String() }),
)

export const groupRoutes: FastifyPluginAsyncTypebox<ApiParts> = async (app, { toolkit: { groups } }) => {
  const admin = describeRoutes('groups', 'admin')
  const user = describeRoutes('groups', 'user')
  const anyone = describeRoutes('groups', 'anyone')

  const names = admin('Names of all groups', { reply: Envelope(Type.Array(Type.String())) })
  app.get('/api/group/', names, async ({ actor }) => ok(groups.names(actor)))

  const details = user('All groups with their number of users. Common users get only the groups that they may use', {
    reply: Envelope(Type.Array(Group)),
  })
  app.get('/api/group/details', details, async ({ actor }) => ok(await groups.list(actor)))

  const usable = { reply: Envelope(Usable) }
  const own = user('Groups that the caller may use, by name', usable)
  app.get('/api/user/self/groups', own, async ({ actor }) => ok(await groups.usableBy(actor)))
  const visitors = anyone('Groups that a visitor may use, by name', usable)
  app.get('/api/user/groups', visitors, async () => ok(await groups.usableBy(undefined)))
}

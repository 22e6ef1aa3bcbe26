import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { Group } from '../../core/groups/schema.ts'
import { Envelope, ok } from './envelope.ts'
import type { ApiParts } from './parts.ts'

const Usable = Type.Record(
  Type.String(),
  Type.Object({ ratio: Type.Number({ description: 'price multiplier' }), desc: Type.String() }),
)

export const groupRoutes: FastifyPluginAsyncTypebox<ApiParts> = async (app, { toolkit: { groups } }) => {
  const names = {
    tags: ['groups'],
    summary: 'Names of all groups',
    response: { 200: Envelope(Type.Array(Type.String())) },
  }
  app.get('/api/group/', { config: { access: 'admin' }, schema: names }, async ({ actor }) => ok(groups.names(actor)))

  const details = {
    tags: ['groups'],
    summary: 'All groups with their number of users. Common users get only the groups that they may use',
    response: { 200: Envelope(Type.Array(Group)) },
  }
  app.get('/api/group/details', { config: { access: 'user' }, schema: details }, async ({ actor }) =>
    ok(await groups.list(actor)),
  )

  const usable = (summary: string) => ({ tags: ['groups'], summary, response: { 200: Envelope(Usable) } })
  app.get(
    '/api/user/self/groups',
    { config: { access: 'user' }, schema: usable('Groups that the caller may use, by name') },
    async ({ actor }) => ok(await groups.usableBy(actor)),
  )
  app.get(
    '/api/user/groups',
    { config: { access: 'anyone' }, schema: usable('Groups that a visitor may use, by name') },
    async () => ok(await groups.usableBy(undefined)),
  )
}

import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { Team } from '../../../core/teams/schema.ts'
import { Done, done, Envelope, ok, PageOf } from '../envelope.ts'
import { IdParams, int32Field, PageFields, pagingOf, QUOTA_SCHEMA, Text } from '../fields.ts'
import { idempotencyHeader, idempotencyOf } from '../idempotency.ts'
import type { ApiParts } from '../parts.ts'
import { describeRoutes } from '../route.ts'

const Query = Type.Object({
  ...PageFields,
  keyword: Type.Optional(Text),
  own: Type.Optional(Type.Boolean({ description: 'for administrators: return only teams of which they are members' })),
})
const Changes = Type.Object({
  name: Type.Optional(Text),
  group: Type.Optional(Type.String({ maxLength: 1000, description: 'only by administrators of the gateway' })),
  status: int32Field('1 enabled, 2 disabled; only by administrators of the gateway'),
})

/** Routes of teams. For a user who is not a member, the team seems not to exist. */
export const teamRecordRoutes: FastifyPluginAsyncTypebox<ApiParts> = async (app, { toolkit: { teams } }) => {
  const user = describeRoutes('team', 'user')
  const admin = describeRoutes('team', 'admin')
  const one = Envelope(Team)

  const list = user('The teams of the caller, newest first; for administrators also the teams that they may manage', {
    querystring: Query,
    reply: Envelope(PageOf(Team)),
  })
  app.get('/api/team/', list, async ({ actor, query }) => ok(await teams.list(actor, pagingOf(query))))

  const create = user('Creates a team owned by the caller', { body: Type.Object({ name: Text }), reply: one })
  app.post('/api/team/', create, async ({ actor, body }) => ok(await teams.create(actor, body)))

  const byName = user('The team with a name', { querystring: Type.Object({ name: Text }), reply: one })
  app.get('/api/team/by-name', byName, async ({ actor, query }) => ok(await teams.getByName(actor, query.name)))

  const get = user('One team', { params: IdParams, reply: one })
  app.get('/api/team/:id', get, async ({ actor, params }) => ok(await teams.get(actor, params.id)))

  const update = user('Changes a team; absent fields are kept', { params: IdParams, body: Changes, reply: one })
  app.put('/api/team/:id', update, async ({ actor, params, body }) => ok(await teams.update(actor, params.id, body)))

  const remove = user('Deletes a team and its keys. The owner gets the balance of the team; the log rows stay', {
    params: IdParams,
    reply: one,
  })
  app.delete('/api/team/:id', remove, async ({ actor, params }) => ok(await teams.delete(actor, params.id)))

  const transfer = user('Transfers quota from the balance of the caller to the team; for owner and admins', {
    params: IdParams,
    headers: idempotencyHeader('transfers nothing more'),
    body: Type.Object({ quota: QUOTA_SCHEMA }),
    reply: one,
  })
  app.post('/api/team/:id/transfer', transfer, async ({ actor, params, headers, body }) => {
    await teams.transfer(actor, params.id, body.quota, idempotencyOf(headers))
    return ok(await teams.get(actor, params.id))
  })

  const redeem = user('Redeems a code for the team', {
    params: IdParams,
    body: Type.Object({ key: Text }),
    reply: Envelope(Type.Integer({ description: 'quota added' })),
  })
  app.post('/api/team/:id/topup', redeem, async ({ actor, params, body }) =>
    ok(await teams.redeem(actor, params.id, body.key)),
  )

  const setQuota = admin('Sets the balance of a team', {
    params: IdParams,
    body: Type.Object({ quota: QUOTA_SCHEMA }),
    reply: Done,
  })
  app.put('/api/team/:id/quota', setQuota, async ({ actor, params, body }) => {
    await teams.setQuota(actor, params.id, body.quota)
    return done
  })
}

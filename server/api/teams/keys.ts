import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { Token } from '../../../core/tokens/schema.ts'
import { Done, done, Envelope, ok, PageOf } from '../envelope.ts'
import { Id, IdParams, int32Field, PageFields, pagingOf, Text } from '../fields.ts'
import type { ApiParts } from '../parts.ts'
import { describeRoutes } from '../route.ts'
import { NewTokenBody, TOKEN_FIELDS } from '../tokens.ts'

const Key = Type.Object({ id: Id, token_id: Id })
const Edit = Type.Object({
  name: Type.Optional(Text),
  status: int32Field('1 enabled, 2 disabled'),
  ...TOKEN_FIELDS,
})
const Page = Type.Object({
  ...PageFields,
  keyword: Type.Optional(Text),
})

/** Routes of the keys of a team. Members manage their own keys. The owner and admins manage all keys. */
export const teamKeyRoutes: FastifyPluginAsyncTypebox<ApiParts> = async (app, { toolkit: { teams } }) => {
  const user = describeRoutes('team', 'user')
  const one = Envelope(Token)

  const list = user('Keys of a team. The key itself is included only if it is your own', {
    params: IdParams,
    querystring: Page,
    reply: Envelope(PageOf(Token)),
  })
  app.get('/api/team/:id/keys', list, async ({ actor, params, query }) =>
    ok(await teams.keys.list(actor, params.id, pagingOf(query))),
  )

  const create = user('Creates a key of a team', { params: IdParams, body: NewTokenBody, reply: one })
  app.post('/api/team/:id/keys', create, async ({ actor, params, body }) =>
    ok(await teams.keys.create(actor, params.id, body)),
  )

  const get = user('One key of a team', { params: Key, reply: one })
  app.get('/api/team/:id/keys/:token_id', get, async ({ actor, params }) =>
    ok(await teams.keys.get(actor, params.id, params.token_id)),
  )

  const update = user('Changes a key of a team; absent fields are kept', { params: Key, body: Edit, reply: one })
  app.put('/api/team/:id/keys/:token_id', update, async ({ actor, params, body }) => {
    const { status, ...changes } = body
    const { id, token_id: tokenId } = params
    let key = await teams.keys.update(actor, id, tokenId, changes)
    if (status !== undefined) key = await teams.keys.setStatus(actor, id, tokenId, status)
    return ok(key)
  })

  const remove = user('Deletes a key of a team permanently', { params: Key, reply: Done })
  app.delete('/api/team/:id/keys/:token_id', remove, async ({ actor, params }) => {
    await teams.keys.delete(actor, params.id, params.token_id)
    return done
  })
}

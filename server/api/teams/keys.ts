import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { Token } from '../../../core/tokens/schema.ts'
import { Done, done, Envelope, ok, PageOf } from '../envelope.ts'
import { Id, IdParams, int32Field, PageFields, pagingOf, Text } from '../fields.ts'
import type { ApiParts } from '../parts.ts'
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
  const config = { access: 'user' } as const
  const tags = ['team']
  const one = { 200: Envelope(Token) }

  const list = {
    tags,
    summary: 'Keys of a team. The key itself is included only if it is your own',
    params: IdParams,
    querystring: Page,
    response: { 200: Envelope(PageOf(Token)) },
  }
  app.get('/api/team/:id/keys', { config, schema: list }, async ({ actor, params, query }) =>
    ok(await teams.keys.list(actor, params.id, pagingOf(query))),
  )

  const create = { tags, summary: 'Creates a key of a team', params: IdParams, body: NewTokenBody, response: one }
  app.post('/api/team/:id/keys', { config, schema: create }, async ({ actor, params, body }) =>
    ok(await teams.keys.create(actor, params.id, body)),
  )

  const get = { tags, summary: 'One key of a team', params: Key, response: one }
  app.get('/api/team/:id/keys/:token_id', { config, schema: get }, async ({ actor, params }) =>
    ok(await teams.keys.get(actor, params.id, params.token_id)),
  )

  const update = {
    tags,
    summary: 'Changes a key of a team; absent fields are kept',
    params: Key,
    body: Edit,
    response: one,
  }
  app.put('/api/team/:id/keys/:token_id', { config, schema: update }, async ({ actor, params, body }) => {
    const { status, ...changes } = body
    const { id, token_id: tokenId } = params
    let key = await teams.keys.update(actor, id, tokenId, changes)
    if (status !== undefined) key = await teams.keys.setStatus(actor, id, tokenId, status)
    return ok(key)
  })

  const remove = { tags, summary: 'Deletes a key of a team permanently', params: Key, response: { 200: Done } }
  app.delete('/api/team/:id/keys/:token_id', { config, schema: remove }, async ({ actor, params }) => {
    await teams.keys.delete(actor, params.id, params.token_id)
    return done
  })
}

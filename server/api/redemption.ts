import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { Redemption } from '../../core/redemption/schema.ts'
import { Done, done, Envelope, ok, PageOf } from './envelope.ts'
import { ID_MAX, IdParams, QUOTA, Text } from './fields.ts'
import type { ApiParts } from './parts.ts'

const Paging = {
  p: Type.Optional(Type.Integer({ description: 'from 1; 0 is the first page too' })),
  page_size: Type.Optional(Type.Integer()),
}
const Batch = Type.Object({
  name: Type.Optional(Text),
  quota: QUOTA,
  count: Type.Optional(Type.Integer({ description: '1 to 100' })),
})
const Edit = Type.Object({
  id: Type.Integer({ minimum: 0, maximum: ID_MAX }),
  name: Type.Optional(Text),
  quota: Type.Optional(QUOTA),
  status: Type.Optional(Type.Integer({ minimum: 0, maximum: ID_MAX })),
})
const Mode = Type.Object({
  status_only: Type.Optional(Type.String({ description: 'not empty: change the status alone' })),
})

/** Redemption codes, for administrators. */
export const redemptionRoutes: FastifyPluginAsyncTypebox<ApiParts> = async (app, { toolkit: { redemption } }) => {
  const config = { access: 'admin' } as const
  const tags = ['redemption']
  const page = { 200: Envelope(PageOf(Redemption)) }

  const list = { tags, summary: 'Codes, newest first', querystring: Type.Object(Paging), response: page }
  app.get('/api/redemption/', { config, schema: list }, async ({ actor, query: { p = 1, page_size = 0 } }) =>
    ok(await redemption.list(actor, { page: p, pageSize: page_size })),
  )

  const search = {
    tags,
    summary: 'Codes by the start of their name, or by id',
    querystring: Type.Object({ ...Paging, keyword: Type.Optional(Text) }),
    response: page,
  }
  app.get('/api/redemption/search', { config, schema: search }, async ({ actor, query }) => {
    const { p = 1, page_size = 0, keyword = '' } = query
    return ok(await redemption.list(actor, { page: p, pageSize: page_size, keyword }))
  })

  const get = { tags, summary: 'One code', params: IdParams, response: { 200: Envelope(Redemption) } }
  app.get('/api/redemption/:id', { config, schema: get }, async ({ actor, params }) =>
    ok(await redemption.get(actor, params.id)),
  )

  const create = {
    tags,
    summary: 'Make codes, all or none',
    body: Batch,
    response: { 200: Envelope(Type.Array(Type.String())) },
  }
  app.post('/api/redemption/', { config, schema: create }, async ({ actor, body: { name = '', quota, count = 0 } }) =>
    ok(await redemption.create(actor, { name, quota, count })),
  )

  const update = {
    tags,
    summary: 'Change an unused code',
    querystring: Mode,
    body: Edit,
    response: { 200: Envelope(Redemption) },
  }
  app.put('/api/redemption/', { config, schema: update }, async ({ actor, query, body: { id, status, ...changes } }) =>
    ok(
      query.status_only
        ? await redemption.setStatus(actor, id, status ?? 0)
        : await redemption.update(actor, id, changes),
    ),
  )

  const remove = { tags, summary: 'Delete a code', params: IdParams, response: { 200: Done } }
  app.delete('/api/redemption/:id', { config, schema: remove }, async ({ actor, params }) => {
    await redemption.delete(actor, params.id)
    return done
  })
}

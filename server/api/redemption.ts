import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { type Static, Type } from 'typebox'
import type { Paging } from '../../core/input.ts'
import { REDEMPTION_SORTS, type RedemptionFilter } from '../../core/redemption/redemption.ts'
import { Redemption } from '../../core/redemption/schema.ts'
import { Done, done, Envelope, ok, PageOf } from './envelope.ts'
import { Id, IdParams, int32Field, pagingOf, QUOTA_SCHEMA, sortQueryFields, Text } from './fields.ts'
import { idempotencyHeader, idempotencyOf } from './idempotency.ts'
import type { ApiParts } from './parts.ts'
import { describeRoutes } from './route.ts'

const PagingFields = {
  p: Type.Optional(Type.Integer({ description: 'from 1; 0 also means the first page' })),
  page_size: Type.Optional(Type.Integer()),
  ...sortQueryFields(REDEMPTION_SORTS),
}
const Filter = {
  status: int32Field('0: every status'),
  name: Type.Optional(Type.String({ maxLength: 1000, description: 'the whole name' })),
  before_id: int32Field('only smaller ids; for the next page, pass the last id', 1),
}
const ListQuery = Type.Object({ ...PagingFields, ...Filter })
const SearchQuery = Type.Object({ ...ListQuery.properties, keyword: Type.Optional(Text) })
const Batch = Type.Object({
  name: Type.Optional(Text),
  quota: QUOTA_SCHEMA,
  count: Type.Optional(Type.Integer({ description: '1 to 100' })),
  total: Type.Optional(
    Type.Integer({
      description: 'number of codes of the whole batch if several calls create it; the same in each of these calls',
    }),
  ),
})
const CreatedCodesQuery = Type.Object({
  name: Text,
  quota: QUOTA_SCHEMA,
  total: Type.Integer({ description: 'size of the whole batch' }),
  idempotency_keys: Type.Array(Type.String(), {
    description: 'the Idempotency-Key of each call, in order; up to 1000',
  }),
})
const CreatedCodes = Type.Object({
  codes: Type.Array(Type.String()),
  used: Type.Integer({ description: 'number of used codes' }),
  disabled: Type.Integer({ description: 'number of disabled codes' }),
  deleted: Type.Integer({ description: 'number of deleted codes' }),
})
const Named = Type.Object({ name: Type.String({ maxLength: 1000, description: 'the whole name' }) })
const Edit = Type.Object({
  id: Id,
  name: Type.Optional(Text),
  quota: Type.Optional(QUOTA_SCHEMA),
  status: Type.Optional(Id),
})
const Mode = Type.Object({
  status_only: Type.Optional(Type.String({ description: 'not empty: change only the status' })),
})

export const redemptionRoutes: FastifyPluginAsyncTypebox<ApiParts> = async (app, { toolkit: { redemption } }) => {
  const admin = describeRoutes('redemption', 'admin')
  const page = Envelope(PageOf(Redemption))

  const list = admin('Codes, newest first', { querystring: ListQuery, reply: page })
  app.get('/api/redemption/', list, async ({ actor, query }) => ok(await redemption.list(actor, filterOf(query))))

  const search = admin('Codes by name prefix, or by id', { querystring: SearchQuery, reply: page })
  app.get('/api/redemption/search', search, async ({ actor, query }) =>
    ok(await redemption.list(actor, filterOf(query))),
  )

  const get = admin('One code', { params: IdParams, reply: Envelope(Redemption) })
  app.get('/api/redemption/:id', get, async ({ actor, params }) => ok(await redemption.get(actor, params.id)))

  const create = admin('Creates codes, all or none; with an Idempotency-Key only once', {
    headers: idempotencyHeader('returns the same codes and creates none'),
    body: Batch,
    reply: Envelope(Type.Array(Type.String())),
  })
  app.post('/api/redemption/', create, async ({ actor, headers, body }) => {
    const { name = '', quota, count = 0, total } = body
    const batch = { name, quota, count, ...(total !== undefined && { total }) }
    return ok(await redemption.create(actor, batch, idempotencyOf(headers)))
  })

  const createdCodes = admin('The codes that calls with these Idempotency-Keys created, up to the first unknown key', {
    body: CreatedCodesQuery,
    reply: Envelope(CreatedCodes),
  })
  app.post('/api/redemption/made', createdCodes, async ({ actor, body }) => {
    const { idempotency_keys: idempotencyKeys, ...batch } = body
    return ok(await redemption.findCreated(actor, { ...batch, idempotencyKeys }))
  })

  const update = admin('Changes an enabled, unused code; with status_only, enables or disables an unused code', {
    querystring: Mode,
    body: Edit,
    reply: Envelope(Redemption),
  })
  app.put('/api/redemption/', update, async ({ actor, query, body: { id, status, ...changes } }) =>
    ok(
      query.status_only
        ? await redemption.setStatus(actor, id, status ?? 0)
        : await redemption.update(actor, id, changes),
    ),
  )

  const removeNamed = admin('Deletes all codes of a name; returns their number', {
    querystring: Named,
    reply: Envelope(Type.Integer()),
  })
  app.delete('/api/redemption/named', removeNamed, async ({ actor, query: { name } }) =>
    ok(await redemption.deleteNamed(actor, name)),
  )

  const remove = admin('Deletes a code', { params: IdParams, reply: Done })
  app.delete('/api/redemption/:id', remove, async ({ actor, params }) => {
    await redemption.delete(actor, params.id)
    return done
  })
}

function filterOf({ before_id: beforeId, ...query }: Static<typeof SearchQuery>): Paging & RedemptionFilter {
  return { ...pagingOf(query), ...(beforeId !== undefined && { beforeId }) }
}

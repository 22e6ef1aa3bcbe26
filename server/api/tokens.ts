import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { type Actor, asCommonUser } from '../../core/actor.ts'
import { Token } from '../../core/tokens/schema.ts'
import { TOKEN_SORTS } from '../../core/tokens/tokens.ts'
import { Done, done, Envelope, ok, PageOf } from './envelope.ts'
import {
  AnswerMode,
  Id,
  IdParams,
  int32Field,
  PageFields,
  QUOTA_SCHEMA,
  sortOf,
  sortQueryFields,
  Text,
} from './fields.ts'
import type { ApiParts } from './parts.ts'
import { describeRoutes } from './route.ts'

const PAGE_SIZE_MAX = 100
const LIST_LENGTH_MAX = 65_536

/** Settings of a token, without its name. */
export const TOKEN_FIELDS = {
  expired_time: Type.Optional(Type.Integer({ minimum: -1, maximum: 1e15, description: 'unix seconds, -1 never' })),
  remain_quota: Type.Optional(QUOTA_SCHEMA),
  unlimited_quota: Type.Optional(Type.Boolean()),
  model_limits_enabled: Type.Optional(Type.Boolean()),
  model_limits: Type.Optional(Type.String({ maxLength: LIST_LENGTH_MAX, description: 'comma list' })),
  allow_ips: Type.Optional(Type.String({ maxLength: LIST_LENGTH_MAX, description: 'one address or range per line' })),
  group: Type.Optional(Type.String({ maxLength: 1000, description: "empty: the owner's group" })),
  store_responses: Type.Optional(
    Type.Boolean({
      description: 'store responses for later requests that continue them; default of a new token: true',
    }),
  ),
}
export const NewTokenBody = Type.Object({ name: Text, ...TOKEN_FIELDS })
const TokenEdit = Type.Object({
  id: Id,
  name: Type.Optional(Text),
  status: Type.Optional(Id),
  ...TOKEN_FIELDS,
})
const Paging = Type.Object({
  p: Type.Optional(Type.Integer({ description: 'from 0' })),
  size: Type.Optional(Type.Integer()),
})
const Page = Type.Object({
  ...PageFields,
  ...sortQueryFields(TOKEN_SORTS),
  keyword: Type.Optional(Text),
  user_id: int32Field('for root; 0 is all users'),
})
const Creation = Type.Object({
  ...AnswerMode,
  unique_name: Type.Optional(Type.Boolean({ description: 'reject a name that the owner already uses' })),
  user_id: int32Field('for root: the owner', 1),
})
const Search = Type.Object({ keyword: Type.Optional(Text), token: Type.Optional(Text) })
const Everybody = {
  everybody: Type.Optional(Type.Boolean({ description: 'for root: also tokens of other users, without their keys' })),
}
const Mode = Type.Object({
  ...Everybody,
  status_only: Type.Optional(Type.String({ description: 'not empty: change only the status' })),
})

/** Routes of API keys. Users see only their own keys. Root sees all keys on the routes that document this. */
export const tokenRoutes: FastifyPluginAsyncTypebox<ApiParts> = async (app, { toolkit: { tokens } }) => {
  const user = describeRoutes('token', 'user')

  const list = user("The user's own tokens", { querystring: Paging, reply: Envelope(Type.Array(Token)) })
  app.get('/api/token/', list, async ({ actor, query: { p = 0, size = 0 } }) => {
    const { items } = await tokens.list(asCommonUser(actor), { page: p + 1, pageSize: Math.min(size, PAGE_SIZE_MAX) })
    return ok(items)
  })

  const page = user("A page of the user's own tokens, with the total; root also sees tokens of other users", {
    querystring: Page,
    reply: Envelope(PageOf(Token)),
  })
  app.get('/api/token/page', page, async ({ actor, query }) => {
    const { p = 1, page_size: pageSize = 0, keyword = '', user_id: ownerId = actor.id } = query
    return ok(await tokens.list(actor, { page: p, pageSize, keyword, ownerId, ...sortOf(query) }))
  })

  const search = user("The user's own tokens by parts of name and key", {
    querystring: Search,
    reply: Envelope(Type.Array(Token)),
  })
  app.get('/api/token/search', search, async ({ actor, query: { keyword = '', token = '' } }) =>
    ok(await tokens.search(asCommonUser(actor), { keyword, key: token })),
  )

  const searchUnseen = user(
    "The user's own tokens by parts of name and key. The key is in the body, so that no access log contains it",
    { body: Search, reply: Envelope(Type.Array(Token)) },
  )
  app.post('/api/token/find', searchUnseen, async ({ actor, body }) => {
    const { keyword = '', token = '' } = body
    return ok(await tokens.search(asCommonUser(actor), { keyword, key: token }))
  })

  const get = user("One of the user's own tokens; root may also get a token of another user", {
    params: IdParams,
    querystring: Type.Object(Everybody),
    reply: Envelope(Token),
  })
  app.get('/api/token/:id', get, async ({ actor, params, query }) =>
    ok(await tokens.get(readerOf(actor, query), params.id)),
  )

  const create = user('Creates a token', { querystring: Creation, body: NewTokenBody, reply: Envelope(Token) })
  app.post('/api/token/', create, async ({ actor, query, body }) => {
    const { unique_name: uniqueName = false, user_id: ownerId = actor.id } = query
    const creator = ownerId === actor.id ? asCommonUser(actor) : actor
    const created = await tokens.create(creator, body, { uniqueName, ownerId })
    return query.answer ? ok(created) : done
  })

  const update = user('Changes a token; absent fields are kept', {
    querystring: Mode,
    body: TokenEdit,
    reply: Envelope(Token),
  })
  app.put('/api/token/', update, async ({ actor, query, body: { id, ...changes } }) => {
    const owner = readerOf(actor, query)
    return ok(
      query.status_only
        ? await tokens.setStatus(owner, id, changes.status ?? 0)
        : await tokens.update(owner, id, changes),
    )
  })

  const remove = user('Deletes a token permanently', {
    params: IdParams,
    querystring: Type.Object(Everybody),
    reply: Done,
  })
  app.delete('/api/token/:id', remove, async ({ actor, params, query }) => {
    await tokens.delete(readerOf(actor, query), params.id)
    return done
  })
}

/**
 * Returns the actor for core, in which root sees all tokens. Without `everybody`, root acts as a common user, because
 * existing clients expect only root's own tokens.
 */
function readerOf(actor: Actor, { everybody = false }: { everybody?: boolean }): Actor {
  return everybody ? actor : asCommonUser(actor)
}

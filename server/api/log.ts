import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { asCommonUser } from '../../core/actor.ts'
import { Log, LogStat } from '../../core/logs/schema.ts'
import { allowAnyOrigin } from '../cors.ts'
import { Envelope, ok, PageOf } from './envelope.ts'
import { pagingOf, Text } from './fields.ts'
import { forUser, LogFilterFields, LogPageQuery } from './log-filter.ts'
import type { ApiParts } from './parts.ts'
import { readableLogs } from './readable-logs.ts'

const Search = Type.Object({ keyword: Type.Optional(Text) })
const OWN_PAGE_SIZE_MAX = 100

/** Routes of log rows and statistics. Users see only their own rows, administrators see all rows. */
export const logRoutes: FastifyPluginAsyncTypebox<ApiParts> = async (app, { toolkit: { logs, options } }) => {
  app.addHook('preSerialization', readableLogs(options))
  const [user, admin] = [{ access: 'user' }, { access: 'admin' }] as const
  const tags = ['log']
  const page = (summary: string) => ({
    tags,
    summary,
    querystring: LogPageQuery,
    response: { 200: Envelope(PageOf(Log)) },
  })
  const stat = (summary: string) => ({
    tags,
    summary,
    querystring: Type.Object(LogFilterFields),
    response: { 200: Envelope(LogStat) },
  })
  const search = (summary: string) => ({
    tags,
    summary,
    querystring: Search,
    response: { 200: Envelope(Type.Array(Log)) },
  })

  app.get('/api/log/', { config: admin, schema: page('Log rows, newest first') }, async ({ actor, query }) =>
    ok(await logs.list(actor, pagingOf(query))),
  )
  app.get('/api/log/self', { config: user, schema: page("The user's own log rows") }, async ({ actor, query }) => {
    const { pageSize, ...filter } = pagingOf(query)
    const own = await logs.list(asCommonUser(actor), { ...filter, pageSize: Math.min(pageSize, OWN_PAGE_SIZE_MAX) })
    return ok({ ...own, items: own.items.map(forUser) })
  })

  app.get('/api/log/stat', { config: admin, schema: stat('Usage and rate') }, async ({ actor, query }) =>
    ok(await logs.stat(actor, query)),
  )
  app.get(
    '/api/log/self/stat',
    { config: user, schema: stat("Usage and rate of the user's own rows") },
    async ({ actor, query }) => ok(await logs.stat(asCommonUser(actor), query)),
  )

  const searchAll = search('The newest 100 rows whose type is the keyword, or whose content starts with it')
  app.get('/api/log/search', { config: admin, schema: searchAll }, async ({ actor, query: { keyword = '' } }) =>
    ok(await logs.search(actor, keyword)),
  )
  const searchOwn = search("The user's own newest 100 rows whose type is the keyword")
  app.get('/api/log/self/search', { config: user, schema: searchOwn }, async ({ actor, query: { keyword = '' } }) =>
    ok((await logs.search(asCommonUser(actor), keyword)).map(forUser)),
  )

  const ofKey = {
    tags,
    summary: 'The newest 1000 rows of an API key. The key is the only credential',
    querystring: Type.Object({ key: Type.Optional(Text) }),
    response: { 200: Envelope(Type.Array(Log)) },
  }
  app.get(
    '/api/log/token',
    { config: { access: 'anyone' }, schema: ofKey, onRequest: allowAnyOrigin },
    async ({ query: { key = '' }, ip }) => ok((await logs.ofKey(key, ip)).map(forUser)),
  )

  const clear = {
    tags,
    summary: 'Deletes the rows older than a time; returns their number',
    querystring: Type.Object({ target_timestamp: Type.Optional(Type.Integer({ description: 'unix seconds' })) }),
    response: { 200: Envelope(Type.Integer()) },
  }
  app.delete('/api/log/', { config: admin, schema: clear }, async ({ actor, query: { target_timestamp = 0 } }) =>
    ok(await logs.clear(actor, target_timestamp)),
  )
}

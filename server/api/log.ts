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
import { describeRoutes } from './route.ts'

const Search = Type.Object({ keyword: Type.Optional(Text) })
const OWN_PAGE_SIZE_MAX = 100

/** Routes of log rows and statistics. Users see only their own rows, administrators see all rows. */
export const logRoutes: FastifyPluginAsyncTypebox<ApiParts> = async (app, { toolkit: { logs, options } }) => {
  const user = describeRoutes('log', 'user')
  const admin = describeRoutes('log', 'admin')
  const anyone = describeRoutes('log', 'anyone')
  const page = { querystring: LogPageQuery, reply: Envelope(PageOf(Log)) }
  const stat = { querystring: Type.Object(LogFilterFields), reply: Envelope(LogStat) }
  const search = { querystring: Search, reply: Envelope(Type.Array(Log)) }
  app.addHook('preSerialization', readableLogs(options))

  app.get('/api/log/', admin('Log rows, newest first', page), async ({ actor, query }) =>
    ok(await logs.list(actor, pagingOf(query))),
  )
  app.get('/api/log/self', user("The user's own log rows", page), async ({ actor, query }) => {
    const { pageSize, ...filter } = pagingOf(query)
    const own = await logs.list(asCommonUser(actor), { ...filter, pageSize: Math.min(pageSize, OWN_PAGE_SIZE_MAX) })
    return ok({ ...own, items: own.items.map(forUser) })
  })

  app.get('/api/log/stat', admin('Usage and rate', stat), async ({ actor, query }) => ok(await logs.stat(actor, query)))
  app.get('/api/log/self/stat', user("Usage and rate of the user's own rows", stat), async ({ actor, query }) =>
    ok(await logs.stat(asCommonUser(actor), query)),
  )

  const searchAll = admin('The newest 100 rows whose type is the keyword, or whose content starts with it', search)
  app.get('/api/log/search', searchAll, async ({ actor, query: { keyword = '' } }) =>
    ok(await logs.search(actor, keyword)),
  )
  const searchOwn = user("The user's own newest 100 rows whose type is the keyword", search)
  app.get('/api/log/self/search', searchOwn, async ({ actor, query: { keyword = '' } }) =>
    ok((await logs.search(asCommonUser(actor), keyword)).map(forUser)),
  )

  const ofKey = anyone('The newest 1000 rows of an API key. The key is the only credential', {
    querystring: Type.Object({ key: Type.Optional(Text) }),
    reply: Envelope(Type.Array(Log)),
  })
  app.get('/api/log/token', { ...ofKey, onRequest: allowAnyOrigin }, async ({ query: { key = '' }, ip }) =>
    ok((await logs.ofKey(key, ip)).map(forUser)),
  )

  const clear = admin('Deletes the rows older than a time; returns their number', {
    querystring: Type.Object({ target_timestamp: Type.Optional(Type.Integer({ description: 'unix seconds' })) }),
    reply: Envelope(Type.Integer()),
  })
  app.delete('/api/log/', clear, async ({ actor, query: { target_timestamp = 0 } }) =>
    ok(await logs.clear(actor, target_timestamp)),
  )
}

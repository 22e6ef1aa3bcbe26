import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { type Static, Type } from 'typebox'
import { ROLE } from '../../core/actor.ts'
import type { LogFilter } from '../../core/logs/filter.ts'
import { Log } from '../../core/logs/schema.ts'
import { Envelope, ok } from './envelope.ts'
import type { ApiParts } from './parts.ts'
import { signedIn } from './signed-in.ts'

/** Numbers arrive as text, and clients send `NaN` and nothing for fields that were cleared: both count as 0. */
const Query = Type.Object({
  p: Type.Optional(Type.String()),
  page_size: Type.Optional(Type.String()),
  type: Type.Optional(Type.String()),
  token_name: Type.Optional(Type.String()),
  model_name: Type.Optional(Type.String()),
  group: Type.Optional(Type.String()),
  username: Type.Optional(Type.String()),
  channel: Type.Optional(Type.String()),
  start_timestamp: Type.Optional(Type.String()),
  end_timestamp: Type.Optional(Type.String()),
})
const PAGE_SIZE_MAX = 100

const LogPage = Type.Object({
  items: Type.Array(Log),
  total: Type.Integer(),
  page: Type.Integer(),
  page_size: Type.Integer(),
})
const Stat = Type.Object({ quota: Type.Integer(), rpm: Type.Integer(), tpm: Type.Integer() })
const Counts = Type.Array(
  Type.Object({
    model_name: Type.String(),
    created_at: Type.Integer(),
    count: Type.Integer(),
    quota: Type.Integer(),
    token_used: Type.Integer(),
  }),
)

/** Log rows, their statistics, and the dashboard's counts: the own ones, and for administrators everybody's. */
export const logRoutes: FastifyPluginAsyncTypebox<ApiParts> = async (app, { toolkit }) => {
  const { logs } = toolkit
  const route = <T extends typeof LogPage | typeof Stat | typeof Counts>(data: T, role: number = ROLE.common) => ({
    schema: { tags: ['log'], querystring: Query, response: { 200: Envelope(data) } },
    preHandler: signedIn(toolkit, role),
  })
  /** Whoever asks here sees what a common user sees: the own rows. */
  const asUser = (id: number) => ({ id, role: ROLE.common })

  app.get('/api/log', route(LogPage, ROLE.admin), async ({ actor, query }) =>
    ok(await logs.list(actor, { ...filterOf(query), page: number(query.p), pageSize: number(query.page_size) })),
  )
  app.get('/api/log/stat', route(Stat, ROLE.admin), async ({ actor, query }) =>
    ok(await logs.stat(actor, filterOf(query))),
  )
  app.get('/api/log/self', route(LogPage), async ({ actor, query }) => {
    const pageSize = Math.min(number(query.page_size) || 10, PAGE_SIZE_MAX)
    return ok(await logs.list(asUser(actor.id), { ...filterOf(query), page: number(query.p), pageSize }))
  })
  app.get('/api/log/self/stat', route(Stat), async ({ actor, query }) =>
    ok(await logs.stat(asUser(actor.id), filterOf(query))),
  )
  app.get('/api/data/self', route(Counts), async ({ actor, query }) => {
    const [start, end] = [number(query.start_timestamp), number(query.end_timestamp)]
    return ok(await logs.counts(asUser(actor.id), { userId: actor.id, start, end }))
  })
}

function number(text: string | undefined): number {
  const value = Number(text)
  return Number.isSafeInteger(value) ? value : 0
}

function filterOf(query: Static<typeof Query>): LogFilter {
  return {
    type: number(query.type),
    token_name: query.token_name ?? '',
    model_name: query.model_name ?? '',
    group: query.group ?? '',
    username: query.username ?? '',
    channel: number(query.channel),
    start_timestamp: number(query.start_timestamp),
    end_timestamp: number(query.end_timestamp),
  }
}

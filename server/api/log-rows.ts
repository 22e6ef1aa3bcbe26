import type { Readable } from 'node:stream'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { type Static, Type } from 'typebox'
import { type Actor, asCommonUser, ROLE } from '../../core/actor.ts'
import type { Log } from '../../core/logs/log.ts'
import type { Logs } from '../../core/logs/logs.ts'
import { ReceiptSchema } from '../../core/logs/receipt-schema.ts'
import { Log as LogSchema } from '../../core/logs/schema.ts'
import { RequestTrace } from '../../core/logs/trace-schema.ts'
import { Envelope, ok } from './envelope.ts'
import { IdParams, Text } from './fields.ts'
import { createLogExports } from './log-exports.ts'
import { forUser, LogFilterFields, traceForUser } from './log-filter.ts'
import type { ApiParts } from './parts.ts'
import { readableLogs, remarkTranslator } from './readable-logs.ts'
import { describeRoutes } from './route.ts'

const LAST_DEFAULT = 10
const Filter = Type.Object(LogFilterFields)
const TailQuery = Type.Object({
  cursor: Type.Optional(
    Type.String({ maxLength: 16_000, description: '`cursor` of the previous reply; omit it on the first call' }),
  ),
  last: Type.Optional(
    Type.Integer({
      description:
        'without a cursor: number of existing rows to return (default 10; higher values than 1000 count as 1000)',
    }),
  ),
  ...LogFilterFields,
})
const Tail = Type.Object({
  items: Type.Array(LogSchema, { description: 'oldest first' }),
  cursor: Type.String({ description: 'opaque; for the next call' }),
  more: Type.Boolean({ description: 'whether to call again immediately' }),
})
const LINES = 'application/x-ndjson'

/** Routes for one log row, its receipt, new rows, exports and request traces. */
export const logRowRoutes: FastifyPluginAsyncTypebox<ApiParts> = async (app, { toolkit: { logs, options } }) => {
  const admin = describeRoutes('log', 'admin')
  const user = describeRoutes('log', 'user')
  app.addHook('preSerialization', readableLogs(options))
  const tail = { querystring: TailQuery, reply: Envelope(Tail) }
  const follow = async (actor: Actor, { cursor, last = LAST_DEFAULT, ...filter }: Static<typeof TailQuery>) =>
    logs.follow(actor, filter, cursor ? { cursor } : { last })
  app.get(
    '/api/log/tail',
    admin('The latest rows; with a cursor, each row committed since then, once', tail),
    async ({ actor, query }) => ok(await follow(actor, query)),
  )
  app.get(
    '/api/log/self/tail',
    user("The user's latest rows; with a cursor, each row committed since then, once", tail),
    async (request) => {
      const newRows = await follow(asCommonUser(request.actor), request.query)
      return ok({ ...newRows, items: newRows.items.map(forUser) })
    },
  )

  const streamExport = createLogExports()
  const lines = {
    description: 'One export at a time per user and two per process; otherwise 429 with Retry-After',
    querystring: Filter,
    reply: {
      description: 'One row per line',
      content: { [LINES]: { schema: Type.Unsafe<Readable>({ type: 'string' }) } },
    },
  }
  const all = admin('All matching rows, newest first, as JSON lines', lines)
  app.get('/api/log/export', all, async (request, reply) => {
    const { actor, query } = request
    const rows = linesOf(logs.scan(actor, query), remarkTranslator(options, request))
    return reply.type(LINES).send(streamExport(actor, reply.raw, rows))
  })
  const own = user('All matching rows of the user, newest first, as JSON lines', lines)
  app.get('/api/log/self/export', own, async (request, reply) => {
    const { actor, query } = request
    const translate = remarkTranslator(options, request)
    const rows = linesOf(logs.scan(asCommonUser(actor), query), (log) => forUser(translate(log)))
    return reply.type(LINES).send(streamExport(actor, reply.raw, rows))
  })

  const get = admin('One row', { params: IdParams, reply: Envelope(LogSchema) })
  app.get('/api/log/:id', get, async ({ actor, params }) => ok(await logs.get(actor, params.id)))
  const receipt = admin('The receipt of a row: its charge, recomputed from its stored fields', {
    params: IdParams,
    reply: Envelope(ReceiptSchema),
  })
  app.get('/api/log/:id/receipt', receipt, async ({ actor, params }) => ok(await logs.receipt(actor, params.id)))
  const trace = user('Attempts, failure and receipt of one request. Users see only their own requests', {
    params: Type.Object({ request_id: Text }),
    reply: Envelope(RequestTrace),
  })
  app.get('/api/log/request/:request_id', trace, async ({ actor, params }) => {
    const requestTrace = await logs.trace(actor, params.request_id)
    return ok(actor.role >= ROLE.admin ? requestTrace : traceForUser(requestTrace))
  })
}

async function* linesOf(batches: ReturnType<Logs['scan']>, convert: (log: Log) => Log): AsyncGenerator<string> {
  for await (const rows of batches) yield rows.map((row) => `${JSON.stringify(convert(row))}\n`).join('')
}

import type { FastifyPluginAsync, FastifyReply } from 'fastify'
import { Type } from 'typebox'
import type { CheckResult, Readiness } from './readiness.ts'

const Report = Type.Object({
  status: Type.Union([Type.Literal('ok'), Type.Literal('failed')]),
  checks: Type.Array(
    Type.Object({
      name: Type.String(),
      status: Type.Union([Type.Literal('ok'), Type.Literal('failed')]),
      message: Type.Optional(Type.String({ description: 'error; absent if the check passed' })),
    }),
  ),
})
const RETRY_AFTER_S = '5'

/** Probes for load balancers and supervisors: without credentials, rate limits and caching. */
export const probeRoutes: FastifyPluginAsync<{
  readiness: Readiness
  isStopping: () => boolean
}> = async (app, { readiness, isStopping }) => {
  const tags = ['status']

  app.get(
    '/healthz',
    {
      schema: {
        tags,
        summary: 'Whether the process works: restart it if there is no reply',
        security: [],
        response: { 200: Report },
      },
    },
    // A stop must not fail this check. Otherwise, a supervisor would kill the process before all charges are written.
    async (_request, reply) => send(reply, [{ name: 'event-loop', status: 'ok' }]),
  )

  app.get(
    '/readyz',
    {
      schema: {
        tags,
        summary: 'Whether the gateway can accept requests',
        security: [],
        response: { 200: Report, 503: Report },
      },
    },
    async (_request, reply) => {
      if (isStopping()) return send(reply, [failedCheck('stopping', 'The gateway is stopping.')])
      return send(reply, [{ name: 'stopping', status: 'ok' }, ...(await readiness())])
    },
  )
}

const failedCheck = (name: string, message: string): CheckResult => ({ name, status: 'failed', message })

function send(reply: FastifyReply, checks: readonly CheckResult[]): FastifyReply {
  const status = checks.some((check) => check.status === 'failed') ? 'failed' : 'ok'
  reply.header('cache-control', 'no-store')
  if (status === 'failed') reply.code(503).header('retry-after', RETRY_AFTER_S)
  return reply.send({ status, checks })
}

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
/** Maximum time for the gateway's last writes, after the grace period of its streams. */
const STOP_MARGIN_MS = 15_000

/**
 * Probes for load balancers and supervisors: without credentials, rate limits and caching. `stoppingSince`: when the gateway
 * began to stop, in milliseconds of `performance.now()`.
 */
export const probeRoutes: FastifyPluginAsync<{
  readiness: Readiness
  stopGraceMs: number
  stoppingSince: () => number | undefined
}> = async (app, { readiness, stopGraceMs, stoppingSince }) => {
  const response = { 200: Report, 503: Report }
  const tags = ['status']

  app.get(
    '/healthz',
    { schema: { tags, summary: 'Whether the process works: restart it if not', security: [], response } },
    async (_request, reply) => {
      const since = stoppingSince()
      const stopsTooLong = since !== undefined && performance.now() - since > stopGraceMs + STOP_MARGIN_MS
      return send(reply, [
        { name: 'event-loop', status: 'ok' },
        stopsTooLong
          ? failedCheck('stopping', 'The gateway takes too long to stop.')
          : { name: 'stopping', status: 'ok' },
      ])
    },
  )

  app.get(
    '/readyz',
    { schema: { tags, summary: 'Whether the gateway can accept requests', security: [], response } },
    async (_request, reply) => {
      if (stoppingSince() !== undefined) return send(reply, [failedCheck('stopping', 'The gateway is stopping.')])
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

import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyError } from 'fastify'
import { Type } from 'typebox'
import type { Verdict } from '../../../core/wallet/schema.ts'
import { answerError, logFailure, reportedError, statusFor } from '../envelope.ts'
import type { ApiParts } from '../parts.ts'
import { describeRoutes } from '../route.ts'

const text = Type.Optional(Type.String())
/** Parameters of the payment gateway, which may send and sign additional parameters. */
const Notification = Type.Object(
  {
    pid: text,
    type: text,
    out_trade_no: text,
    trade_no: text,
    name: text,
    money: text,
    trade_status: text,
    sign: text,
    sign_type: text,
  },
  { additionalProperties: true },
)

/** Verdicts for which the reply is `fail`. After `fail`, the payment gateway sends the notification again. */
const FAIL: ReadonlySet<string> = new Set<Verdict>(['refused', 'failed'])

/**
 * Receives the payment gateway's notification after a payment. Replies in plain text. Errors with status 200 are also
 * plain text.
 */
export const notificationRoutes: FastifyPluginAsyncTypebox<ApiParts> = async (app, { toolkit: { wallet } }) => {
  const anyone = describeRoutes('wallet', 'anyone')
  app.setErrorHandler((error: FastifyError, request, reply) => {
    const refusal = reportedError(error)
    if (refusal && statusFor(refusal) !== 200) return answerError(error, request, reply)
    logFailure(error, request)
    return reply.code(200).type('text/plain').send('fail')
  })
  const schema = anyone('Notification of the payment gateway', {
    querystring: Notification,
    reply: { description: 'success or fail', content: { 'text/plain': { schema: Type.String() } } },
  })
  app.get('/api/user/epay/notify', schema, async (request, reply) => {
    const { verdict } = await wallet.notify(firstValues(request.query), request.ip)
    return reply.type('text/plain').send(FAIL.has(verdict) ? 'fail' : 'success')
  })
}

function firstValues(query: Record<string, unknown>): Record<string, string> {
  return Object.fromEntries(Object.entries(query).map(([name, value]) => [name, String([value].flat()[0] ?? '')]))
}

import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { GatewayError } from '../../../core/errors.ts'
import { QUOTA_MAX } from '../../../core/input.ts'
import { PaymentForm } from '../../../core/wallet/schema.ts'
import { answerError, logFailure, messageFor, reportedError, setErrorHeaders, statusFor } from '../envelope.ts'
import type { ApiParts } from '../parts.ts'
import { describeRoutes } from '../route.ts'

const amount = Type.Integer({
  minimum: -QUOTA_MAX,
  maximum: QUOTA_MAX,
  description: 'whole dollars; or quota, if the gateway does not show quota in dollars',
})
const top_up_code = Type.Optional(Type.String({ maxLength: 255, description: 'ignored' }))
const message = Type.String({ description: 'success or error' })

/**
 * Routes that return the price and the payment form of a top-up. As documented, `message` in a reply is only `success`
 * or `error`, and `data` of an error contains its text.
 */
export const orderRoutes: FastifyPluginAsyncTypebox<ApiParts> = async (app, { toolkit: { wallet } }) => {
  const user = describeRoutes('wallet', 'user')
  app.setErrorHandler(answerAsError)

  const cost = user('Price of a top-up', {
    body: Type.Object({ amount, top_up_code }),
    reply: Type.Object({ message, data: Type.String({ description: 'two decimals' }) }),
  })
  app.post('/api/user/amount', cost, async ({ actor, body }) => ({
    message: 'success',
    data: await wallet.amountToPay(actor, body.amount),
  }))

  const pay = user('Orders a top-up', {
    body: Type.Object({
      amount,
      top_up_code,
      payment_method: Type.String({ maxLength: 255, description: 'zfb or wx' }),
    }),
    reply: Type.Object({
      message,
      url: Type.Optional(Type.String({ description: 'form target for the browser' })),
      data: Type.Union([PaymentForm, Type.String()]),
    }),
  })
  app.post('/api/user/pay', pay, async ({ actor, body }) => {
    const { url, form } = await wallet.pay(actor, body)
    return { message: 'success', url, data: form }
  })
}

/**
 * Sends an error whose status is 200 in the format of these routes. Other errors, such as a missing session, use the
 * envelope of the management API.
 */
function answerAsError(error: FastifyError | GatewayError, request: FastifyRequest, reply: FastifyReply) {
  const refusal = reportedError(error)
  if (!refusal || statusFor(refusal) !== 200) return answerError(error, request, reply)
  logFailure(error, request)
  const reason = messageFor(refusal, request)
  // For an unreadable body, the documented error is PARAMETERS_WRONG, with the reason.
  const sentError = error instanceof GatewayError ? refusal : new GatewayError('PARAMETERS_WRONG', { reason })
  setErrorHeaders(reply, sentError)
  return reply.code(200).send({ message: 'error', data: messageFor(sentError, request) })
}

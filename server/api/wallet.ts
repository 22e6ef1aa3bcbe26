import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { Order, PaymentCallback } from '../../core/wallet/schema.ts'
import { named } from '../named.ts'
import { Envelope, ok, PageOf } from './envelope.ts'
import { IdParams, pagingOf } from './fields.ts'
import type { ApiParts } from './parts.ts'
import { notificationRoutes } from './payment/notification.ts'
import { orderRoutes } from './payment/order.ts'
import { describeRoutes } from './route.ts'

const NAME_LENGTH_MAX = 255
const Paging = { p: Type.Optional(Type.Integer()), page_size: Type.Optional(Type.Integer()) }
const filter = Type.Optional(Type.String({ maxLength: NAME_LENGTH_MAX }))

export const walletRoutes: FastifyPluginAsyncTypebox<ApiParts> = async (app, parts) => {
  const user = describeRoutes('wallet', 'user')
  const admin = describeRoutes('wallet', 'admin')
  const { wallet, redemption } = parts.toolkit
  await app.register(named(orderRoutes), parts)
  await app.register(named(notificationRoutes), parts)

  const redeem = user('Redeems a code', {
    body: Type.Object({ key: Type.String({ default: '' }) }),
    reply: Envelope(Type.Integer({ description: 'quota added' })),
  })
  // The rate limit `critical` is unnecessary, because a code of 128 random bits cannot be guessed.
  app.post('/api/user/topup', redeem, async ({ actor, body }) => ok(await redemption.redeem(actor, body.key)))

  const orders = admin("All users' orders, newest first", {
    querystring: Type.Object({ ...Paging, status: filter, username: filter, trade_no: filter }),
    reply: Envelope(PageOf(Order)),
  })
  app.get('/api/topup/', orders, async ({ actor, query }) => {
    const { p: page = 1, page_size: pageSize = 0, status = '', username = '', trade_no = '' } = query
    return ok(await wallet.orders(actor, { page, pageSize, status, username, trade_no }))
  })

  const own = user("The user's own orders, newest first", {
    querystring: Type.Object(Paging),
    reply: Envelope(PageOf(Order)),
  })
  app.get('/api/topup/self', own, async ({ actor, query }) => ok(await wallet.ownOrders(actor, pagingOf(query))))

  const callbacks = admin('Notifications of the payment gateway with their verdicts, newest first', {
    querystring: Type.Object({ ...Paging, trade_no: filter, verdict: filter }),
    reply: Envelope(PageOf(PaymentCallback)),
  })
  app.get('/api/topup/callbacks', callbacks, async ({ actor, query }) => {
    const { p: page = 1, page_size: pageSize = 0, trade_no = '', verdict = '' } = query
    return ok(await wallet.callbacks(actor, { page, pageSize, trade_no, verdict }))
  })

  const replay = admin('Processes a notification again, with the current settings', {
    params: IdParams,
    reply: Envelope(PaymentCallback),
  })
  app.post('/api/topup/callbacks/:id/replay', replay, async (request) =>
    ok(await wallet.replay(request.actor, request.params.id)),
  )
}

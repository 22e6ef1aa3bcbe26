import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { DELIVERY_STATES, type DeliveryState } from '../../core/notices/notice.ts'
import {
  NewNoticeTarget,
  NoticeDelivery,
  NoticeTarget,
  NoticeTargetChanges,
  NoticeThreshold,
} from '../../core/notices/schema.ts'
import { testNotice } from '../notices/test-notice.ts'
import { Envelope, ok } from './envelope.ts'
import { IdParams, int32Field } from './fields.ts'
import type { ApiParts } from './parts.ts'
import { describeRoutes } from './route.ts'

const GATEWAY = Type.Optional(
  Type.Boolean({ description: 'for administrators: targets of the gateway instead of your own' }),
)
const DeliveryQuery = Type.Object({
  gateway: GATEWAY,
  target_id: Type.Optional(Type.Integer()),
  state: Type.Optional(Type.Unsafe<DeliveryState>(Type.String({ enum: [...DELIVERY_STATES] }))),
  before_id: Type.Optional(Type.Integer({ description: 'only smaller ids; for the next page, pass the last id' })),
  page_size: Type.Optional(Type.Integer()),
})

/**
 * Routes of notice targets, thresholds and deliveries. Users manage their own targets. Administrators also manage the
 * targets of the gateway.
 */
export const noticeRoutes: FastifyPluginAsyncTypebox<ApiParts> = async (
  app,
  { toolkit: { notices }, deliverNotice },
) => {
  const user = describeRoutes('notice', 'user')

  const { targets, deliveries, thresholds } = notices

  const list = user('Notice targets: your own, or those of the gateway', {
    querystring: Type.Object({ gateway: GATEWAY }),
    reply: Envelope(Type.Array(NoticeTarget)),
  })
  app.get('/api/notify/', list, async ({ actor, query }) => ok(await targets.list(actor, query)))

  const create = user('Adds a notice target', { body: NewNoticeTarget, reply: Envelope(NoticeTarget) })
  app.post('/api/notify/', create, async ({ actor, body }) => ok(await targets.create(actor, body)))

  const update = user('Changes a notice target; absent settings are kept', {
    params: IdParams,
    body: NoticeTargetChanges,
    reply: Envelope(NoticeTarget),
  })
  app.put('/api/notify/:id', update, async ({ actor, params, body }) =>
    ok(await targets.update(actor, params.id, body)),
  )

  const remove = user('Removes a notice target with its deliveries', {
    params: IdParams,
    reply: Envelope(NoticeTarget),
  })
  app.delete('/api/notify/:id', remove, async ({ actor, params }) => ok(await targets.delete(actor, params.id)))

  const test = user('Sends a test notice immediately; the reply has the result', {
    params: IdParams,
    reply: Envelope(NoticeDelivery),
    config: { critical: true },
  })
  app.post('/api/notify/:id/test', test, async ({ actor, params }) =>
    ok(await testNotice(notices, deliverNotice, actor, params.id)),
  )

  const log = user('Deliveries, newest first', {
    querystring: DeliveryQuery,
    reply: Envelope(Type.Array(NoticeDelivery)),
  })
  app.get('/api/notify/deliveries', log, async ({ actor, query }) => ok(await deliveries.list(actor, query)))

  const retry = user('Makes a failed or pending delivery due immediately', {
    params: IdParams,
    reply: Envelope(NoticeDelivery),
  })
  app.post('/api/notify/deliveries/:id/retry', retry, async ({ actor, params }) =>
    ok(await deliveries.retry(actor, params.id)),
  )

  const listThresholds = user('Thresholds: the percentages of usage at which a balance or a key sends a notice', {
    querystring: Type.Object({
      user_id: int32Field('account of the thresholds: a team, for its members; any user, for administrators', 1),
    }),
    reply: Envelope(Type.Array(NoticeThreshold)),
  })
  app.get('/api/notify/thresholds', listThresholds, async ({ actor, query }) => ok(await thresholds.list(actor, query)))

  const setThresholds = user(
    'Sets the thresholds of a balance or a key: your own, those of a team as its owner or admin, any as administrator',
    { body: NoticeThreshold, reply: Envelope(NoticeThreshold) },
  )
  app.put('/api/notify/thresholds', setThresholds, async ({ actor, body }) => ok(await thresholds.set(actor, body)))
}

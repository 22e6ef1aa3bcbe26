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
  const config = { access: 'user' } as const
  const tags = ['notice']
  const { targets, deliveries, thresholds } = notices

  const list = {
    tags,
    summary: 'Notice targets: your own, or those of the gateway',
    querystring: Type.Object({ gateway: GATEWAY }),
    response: { 200: Envelope(Type.Array(NoticeTarget)) },
  }
  app.get('/api/notify/', { config, schema: list }, async ({ actor, query }) => ok(await targets.list(actor, query)))

  const create = {
    tags,
    summary: 'Adds a notice target',
    body: NewNoticeTarget,
    response: { 200: Envelope(NoticeTarget) },
  }
  app.post('/api/notify/', { config, schema: create }, async ({ actor, body }) => ok(await targets.create(actor, body)))

  const update = {
    tags,
    summary: 'Changes a notice target; absent settings are kept',
    params: IdParams,
    body: NoticeTargetChanges,
    response: { 200: Envelope(NoticeTarget) },
  }
  app.put('/api/notify/:id', { config, schema: update }, async ({ actor, params, body }) =>
    ok(await targets.update(actor, params.id, body)),
  )

  const remove = {
    tags,
    summary: 'Removes a notice target with its deliveries',
    params: IdParams,
    response: { 200: Envelope(NoticeTarget) },
  }
  app.delete('/api/notify/:id', { config, schema: remove }, async ({ actor, params }) =>
    ok(await targets.delete(actor, params.id)),
  )

  const test = {
    tags,
    summary: 'Sends a test notice immediately; the reply has the result',
    params: IdParams,
    response: { 200: Envelope(NoticeDelivery) },
  }
  app.post('/api/notify/:id/test', { config: { ...config, critical: true }, schema: test }, async ({ actor, params }) =>
    ok(await testNotice(notices, deliverNotice, actor, params.id)),
  )

  const log = {
    tags,
    summary: 'Deliveries, newest first',
    querystring: DeliveryQuery,
    response: { 200: Envelope(Type.Array(NoticeDelivery)) },
  }
  app.get('/api/notify/deliveries', { config, schema: log }, async ({ actor, query }) =>
    ok(await deliveries.list(actor, query)),
  )

  const retry = {
    tags,
    summary: 'Makes a failed or pending delivery due immediately',
    params: IdParams,
    response: { 200: Envelope(NoticeDelivery) },
  }
  app.post('/api/notify/deliveries/:id/retry', { config, schema: retry }, async ({ actor, params }) =>
    ok(await deliveries.retry(actor, params.id)),
  )

  const listThresholds = {
    tags,
    summary: 'Thresholds: the percentages of usage at which a balance or a key sends a notice',
    querystring: Type.Object({
      user_id: int32Field('account of the thresholds: a team, for its members; any user, for administrators', 1),
    }),
    response: { 200: Envelope(Type.Array(NoticeThreshold)) },
  }
  app.get('/api/notify/thresholds', { config, schema: listThresholds }, async ({ actor, query }) =>
    ok(await thresholds.list(actor, query)),
  )

  const setThresholds = {
    tags,
    summary:
      'Sets the thresholds of a balance or a key: your own, those of a team as its owner or admin, any as administrator',
    body: NoticeThreshold,
    response: { 200: Envelope(NoticeThreshold) },
  }
  app.put('/api/notify/thresholds', { config, schema: setThresholds }, async ({ actor, body }) =>
    ok(await thresholds.set(actor, body)),
  )
}

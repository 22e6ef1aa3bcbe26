import type { Data, RequestBody } from './calls.ts'
import { call } from './client.ts'

export type NoticeTarget = Data<'GET /api/notify/'>[number]
export type NoticeDelivery = Data<'GET /api/notify/deliveries'>[number]
type NewNoticeTarget = RequestBody<'POST /api/notify/'>
type NoticeTargetChanges = RequestBody<'PUT /api/notify/:id'>
export type NoticeKind = NewNoticeTarget['kind']
export type NoticeThreshold = RequestBody<'PUT /api/notify/thresholds'>
export type NoticeEvent = NewNoticeTarget['events'][number]
export type NoticeSetting = keyof NewNoticeTarget['settings']

export const NOTICE_KINDS = ['webhook', 'mail', 'telegram', 'feishu', 'bark', 'slack'] as const
export const ACCOUNT_EVENTS = ['balance.reached', 'budget.reached', 'payment.completed', 'sign-in.new'] as const
export const NOTICE_EVENTS = [
  'channel.disabled',
  'channel.enabled',
  'circuit.opened',
  'job.failed',
  'ledger.mismatch',
  ...ACCOUNT_EVENTS,
] as const

/** The settings of each kind of target, in the order of the form. */
export const SETTINGS_OF: Record<NoticeKind, readonly NoticeSetting[]> = {
  webhook: ['url', 'secret'],
  mail: ['address'],
  telegram: ['bot_token', 'chat_id', 'base_url'],
  feishu: ['url', 'secret'],
  bark: ['device_key', 'base_url'],
  slack: ['url'],
}

const DELIVERIES_MAX = 10

export const listNoticeTargets = (gateway: boolean, signal?: AbortSignal) =>
  call('GET /api/notify/', { query: { gateway }, signal })

export const listNoticeDeliveries = (gateway: boolean, signal?: AbortSignal) =>
  call('GET /api/notify/deliveries', { query: { gateway, page_size: DELIVERIES_MAX }, signal })

export const createNoticeTarget = (target: NewNoticeTarget) => call('POST /api/notify/', { body: target })

export const updateNoticeTarget = ({ id, ...body }: NoticeTargetChanges & { id: number }) =>
  call('PUT /api/notify/:id', { path: { id }, body })

export const deleteNoticeTarget = ({ id }: Pick<NoticeTarget, 'id'>) => call('DELETE /api/notify/:id', { path: { id } })

export const testNoticeTarget = ({ id }: Pick<NoticeTarget, 'id'>) =>
  call('POST /api/notify/:id/test', { path: { id } })

/** Lists the thresholds that are set for a user's balance and keys. An undefined `userId` means the current user. */
export const listNoticeThresholds = (userId: number | undefined, signal?: AbortSignal) =>
  call('GET /api/notify/thresholds', { query: { user_id: userId }, signal })

export const setNoticeThreshold = (body: NoticeThreshold) => call('PUT /api/notify/thresholds', { body })

export const retryNoticeDelivery = ({ id }: Pick<NoticeDelivery, 'id'>) =>
  call('POST /api/notify/deliveries/:id/retry', { path: { id } })

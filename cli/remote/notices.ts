import type { NoticeDelivery, NoticeTarget, NoticeThreshold } from '../../core/notices/notice.ts'
import type { CommandNotices } from '../notices.ts'
import type { Client } from './client.ts'
import { hasFields, listOf } from './guards.ts'

const target = hasFields<NoticeTarget>('id', 'kind', 'events')
const delivery = hasFields<NoticeDelivery>('id', 'state', 'attempts')

export function remoteNotices(client: Client): CommandNotices {
  return {
    list: (_actor, query = {}) =>
      client.read(listOf<NoticeTarget>('id', 'kind', 'events'), 'GET', '/api/notify/', { query: { ...query } }),
    create: (_actor, body) => client.read(target, 'POST', '/api/notify/', { body }),
    update: (_actor, id, body) => client.read(target, 'PUT', '/api/notify/:id', { params: { id }, body }),
    delete: (_actor, id) => client.read(target, 'DELETE', '/api/notify/:id', { params: { id } }),
    test: (_actor, id) => client.read(delivery, 'POST', '/api/notify/:id/test', { params: { id } }),
    deliveries: (_actor, query = {}) =>
      client.read(listOf<NoticeDelivery>('id', 'state'), 'GET', '/api/notify/deliveries', { query: { ...query } }),
    retry: (_actor, id) => client.read(delivery, 'POST', '/api/notify/deliveries/:id/retry', { params: { id } }),
    thresholds: (_actor, query = {}) =>
      client.read(listOf<NoticeThreshold>('subject', 'percents'), 'GET', '/api/notify/thresholds', {
        query: { ...query },
      }),
    setThreshold: (_actor, body) =>
      client.read(hasFields<NoticeThreshold>('subject', 'percents'), 'PUT', '/api/notify/thresholds', { body }),
  }
}

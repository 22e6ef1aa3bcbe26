import type { CommandNotices } from '../notices.ts'
import type { Client } from './client.ts'

export function remoteNotices(client: Client): CommandNotices {
  return {
    list: (_actor, query = {}) => client.read('GET /api/notify/', { query }),
    create: (_actor, body) => client.read('POST /api/notify/', { body }),
    update: (_actor, id, body) => client.read('PUT /api/notify/:id', { path: { id }, body }),
    delete: (_actor, id) => client.read('DELETE /api/notify/:id', { path: { id } }),
    test: (_actor, id) => client.read('POST /api/notify/:id/test', { path: { id } }),
    deliveries: (_actor, query = {}) => client.read('GET /api/notify/deliveries', { query }),
    retry: (_actor, id) => client.read('POST /api/notify/deliveries/:id/retry', { path: { id } }),
    thresholds: (_actor, query = {}) => client.read('GET /api/notify/thresholds', { query }),
    setThreshold: (_actor, body) => client.read('PUT /api/notify/thresholds', { body }),
  }
}

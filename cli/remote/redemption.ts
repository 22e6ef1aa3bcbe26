import type { CommandToolkit } from '../toolkit.ts'
import type { Client } from './client.ts'

export function remoteRedemption(client: Client): CommandToolkit['redemption'] {
  return {
    create: (_actor, batch, idempotency) => client.read('POST /api/redemption/', { idempotency, body: batch }),
    async findCreated(_actor, { idempotencyKeys, ...batch }) {
      const body = { ...batch, idempotency_keys: idempotencyKeys }
      return await client.read('POST /api/redemption/made', { body })
    },
    get: (_actor, id) => client.read('GET /api/redemption/:id', { path: { id } }),
    async list(_actor, { page, pageSize, keyword, name, status, beforeId } = {}) {
      const query = { p: page, page_size: pageSize, keyword, name, status, before_id: beforeId }
      return await client.read('GET /api/redemption/search', { query })
    },
    update: (_actor, id, changes) => client.read('PUT /api/redemption/', { body: { id, ...changes } }),
    async setStatus(_actor, id, status) {
      return await client.read('PUT /api/redemption/', { query: { status_only: 'true' }, body: { id, status } })
    },
    async delete(_actor, id) {
      await client.call('DELETE /api/redemption/:id', { path: { id } })
    },
    deleteNamed: (_actor, name) => client.read('DELETE /api/redemption/named', { query: { name } }),
    redeem: (_actor, key) => client.read('POST /api/user/topup', { body: { key } }),
  }
}

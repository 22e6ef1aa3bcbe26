import type { CreatedCodes } from '../../core/redemption/batches.ts'
import type { Redemption } from '../../core/redemption/redemption.ts'
import type { CommandToolkit } from '../toolkit.ts'
import type { Client } from './client.ts'
import { hasFields, isNumber, isTextList, pageOf } from './guards.ts'

export function remoteRedemption(client: Client): CommandToolkit['redemption'] {
  return {
    create: (_actor, batch, idempotency) =>
      client.read(isTextList, 'POST', '/api/redemption/', { idempotency, body: batch }),
    async findCreated(_actor, { idempotencyKeys, ...batch }) {
      const body = { ...batch, idempotency_keys: idempotencyKeys }
      return await client.read(hasFields<CreatedCodes>('codes'), 'POST', '/api/redemption/made', { body })
    },
    get: (_actor, id) => client.read(hasFields<Redemption>('id'), 'GET', '/api/redemption/:id', { params: { id } }),
    async list(_actor, { page, pageSize, keyword, name, status, beforeId } = {}) {
      const query = { p: page, page_size: pageSize, keyword, name, status, before_id: beforeId }
      return await client.read(pageOf<Redemption>('id'), 'GET', '/api/redemption/search', { query })
    },
    update: (_actor, id, changes) =>
      client.read(hasFields<Redemption>('id'), 'PUT', '/api/redemption/', { body: { id, ...changes } }),
    async setStatus(_actor, id, status) {
      const query = { status_only: true }
      return await client.read(hasFields<Redemption>('id'), 'PUT', '/api/redemption/', { query, body: { id, status } })
    },
    async delete(_actor, id) {
      await client.call('DELETE', '/api/redemption/:id', { params: { id } })
    },
    deleteNamed: (_actor, name) => client.read(isNumber, 'DELETE', '/api/redemption/named', { query: { name } }),
    redeem: (_actor, key) => client.read(isNumber, 'POST', '/api/user/topup', { body: { key } }),
  }
}

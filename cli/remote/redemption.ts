import type { Page } from '../../core/input.ts'
import type { MadeCodes } from '../../core/redemption/batches.ts'
import type { Redemption } from '../../core/redemption/redemption.ts'
import type { CommandToolkit } from '../toolkit.ts'
import type { Client } from './client.ts'

export function remoteRedemption(client: Client): CommandToolkit['redemption'] {
  return {
    async create(_actor, batch, idempotency) {
      const headers = idempotency ? { 'Idempotency-Key': idempotency.idempotencyKey } : {}
      return (await client.call('POST', '/api/redemption/', { headers, body: batch })) as string[]
    },
    async made(_actor, { idempotencyKeys, ...batch }) {
      const body = { ...batch, idempotency_keys: idempotencyKeys }
      return (await client.call('POST', '/api/redemption/made', { body })) as MadeCodes
    },
    async get(_actor, id) {
      return (await client.call('GET', '/api/redemption/:id', { params: { id } })) as Redemption
    },
    async list(_actor, { page, pageSize, keyword, name, status, beforeId } = {}) {
      const query = { p: page, page_size: pageSize, keyword, name, status, before_id: beforeId }
      return (await client.call('GET', '/api/redemption/search', { query })) as Page<Redemption>
    },
    async update(_actor, id, changes) {
      return (await client.call('PUT', '/api/redemption/', { body: { id, ...changes } })) as Redemption
    },
    async setStatus(_actor, id, status) {
      const query = { status_only: true }
      return (await client.call('PUT', '/api/redemption/', { query, body: { id, status } })) as Redemption
    },
    async delete(_actor, id) {
      await client.call('DELETE', '/api/redemption/:id', { params: { id } })
    },
    async deleteNamed(_actor, name) {
      return (await client.call('DELETE', '/api/redemption/named', { query: { name } })) as number
    },
    async redeem(_actor, key) {
      return (await client.call('POST', '/api/user/topup', { body: { key } })) as number
    },
  }
}

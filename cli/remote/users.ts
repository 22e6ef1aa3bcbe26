import { GatewayError } from '../../core/errors.ts'
import type { CommandToolkit } from '../toolkit.ts'
import type { Client } from './client.ts'

const RECORD = { answer: 'record' } as const

export function remoteAccounts(client: Client): CommandToolkit['accounts'] {
  /** Reads the acting user, without the access token, which must not be displayed. */
  const readSelf = async () => ({
    ...(await client.read('GET /api/user/self')),
    access_token: null,
  })

  return {
    async get(actor, id) {
      return id === actor.id ? readSelf() : await client.read('GET /api/user/:id', { path: { id } })
    },
    async getByName(_actor, username) {
      try {
        return await client.read('GET /api/user/by-name', { query: { username } })
      } catch (error) {
        // A user without the right to find other users may still use their own name.
        const denied = error instanceof GatewayError && error.code === 'PERMISSION_DENIED'
        const self = denied ? await readSelf() : undefined
        if (self?.username !== username) throw error
        return self
      }
    },
    async list(_actor, { page, pageSize, ...filter } = {}) {
      const query = { p: page, page_size: pageSize, ...filter }
      return await client.read('GET /api/user/search', { query })
    },
    create: (_actor, { quota, group, ...body }) =>
      client.read('POST /api/user/', { query: { ...RECORD, quota, group }, body }),
    async update(_actor, changes) {
      await client.call('PUT /api/user/', { body: changes })
      return undefined
    },
    adjustQuota: (_actor, id, by, idempotency) =>
      client.read('POST /api/user/:id/quota', { path: { id }, idempotency, body: { by } }),
    manage: (_actor, id, action) => client.read('POST /api/user/manage', { query: RECORD, body: { id, action } }),
    async delete(_actor, id) {
      await client.call('DELETE /api/user/:id', { path: { id } })
    },
  }
}

import type { User } from '../../core/accounts/user.ts'
import { GatewayError } from '../../core/errors.ts'
import type { CommandToolkit } from '../toolkit.ts'
import type { Client } from './client.ts'
import { hasFields, pageOf } from './guards.ts'

const RECORD = { answer: 'record' }

export function remoteAccounts(client: Client): CommandToolkit['accounts'] {
  /** Reads the acting user, without the access token, which must not be displayed. */
  const readSelf = async () => ({
    ...(await client.read(hasFields<User>('id'), 'GET', '/api/user/self')),
    access_token: null,
  })

  return {
    async get(actor, id) {
      return id === actor.id
        ? readSelf()
        : await client.read(hasFields<User>('id'), 'GET', '/api/user/:id', { params: { id } })
    },
    async getByName(_actor, username) {
      try {
        return await client.read(hasFields<User>('id'), 'GET', '/api/user/by-name', { query: { username } })
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
      return await client.read(pageOf<User>('id'), 'GET', '/api/user/search', { query })
    },
    create: (_actor, { quota, group, ...body }) =>
      client.read(hasFields<User>('id'), 'POST', '/api/user/', { query: { ...RECORD, quota, group }, body }),
    async update(_actor, changes) {
      await client.call('PUT', '/api/user/', { body: changes })
      return undefined
    },
    adjustQuota: (_actor, id, by, idempotency) =>
      client.read(hasFields<User>('id'), 'POST', '/api/user/:id/quota', { params: { id }, idempotency, body: { by } }),
    manage: (_actor, id, action) =>
      client.read(hasFields<User>('id'), 'POST', '/api/user/manage', { query: RECORD, body: { id, action } }),
    async delete(_actor, id) {
      await client.call('DELETE', '/api/user/:id', { params: { id } })
    },
  }
}

import type { ManagementKey } from '../../core/management-keys/management-keys.ts'
import type { CommandToolkit } from '../toolkit.ts'
import type { Client } from './client.ts'
import { hasFields, pageOf } from './guards.ts'

export function remoteApiKeys(client: Client): CommandToolkit['managementKeys'] {
  return {
    async create(_actor, key) {
      return await client.read(hasFields<ManagementKey & { key: string }>('id', 'key'), 'POST', '/api/api-key/', {
        body: key,
      })
    },
    async list(_actor, { page, pageSize, everybody } = {}) {
      const query = { p: page, page_size: pageSize, everybody: everybody || undefined }
      return await client.read(pageOf<ManagementKey>('id', 'scopes'), 'GET', '/api/api-key/', { query })
    },
    async revoke(_actor, id) {
      return await client.read(hasFields<ManagementKey>('id'), 'DELETE', '/api/api-key/:id', { params: { id } })
    },
  }
}

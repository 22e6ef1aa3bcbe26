import type { ManagementKey } from '../../core/management-keys/management-keys.ts'
import type { CommandToolkit } from '../toolkit.ts'
import type { Client } from './client.ts'
import { hasFields, pageOf } from './guards.ts'

export function remoteApiKeys(client: Client): CommandToolkit['managementKeys'] {
  return {
    create: (_actor, key) =>
      client.read(hasFields<ManagementKey & { key: string }>('id', 'key'), 'POST', '/api/api-key/', { body: key }),
    async list(_actor, { page, pageSize, everybody } = {}) {
      const query = { p: page, page_size: pageSize, everybody: everybody || undefined }
      return await client.read(pageOf<ManagementKey>('id', 'scopes'), 'GET', '/api/api-key/', { query })
    },
    revoke: (_actor, id) =>
      client.read(hasFields<ManagementKey>('id'), 'DELETE', '/api/api-key/:id', { params: { id } }),
  }
}

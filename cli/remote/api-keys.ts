import type { CommandToolkit } from '../toolkit.ts'
import type { Client } from './client.ts'

export function remoteApiKeys(client: Client): CommandToolkit['managementKeys'] {
  return {
    create: (_actor, body) => client.read('POST /api/api-key/', { body }),
    async list(_actor, { page, pageSize, everybody } = {}) {
      const query = { p: page, page_size: pageSize, everybody: everybody || undefined }
      return await client.read('GET /api/api-key/', { query })
    },
    revoke: (_actor, id) => client.read('DELETE /api/api-key/:id', { path: { id } }),
  }
}

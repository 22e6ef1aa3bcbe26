import type { AuditEntry } from '../../core/audit/audit.ts'
import type { CommandToolkit } from '../toolkit.ts'
import type { Client } from './client.ts'
import { listOf } from './guards.ts'

export function remoteAudit(client: Client): CommandToolkit['audit'] {
  return {
    async list(_actor, { actor, action, object, from, to, beforeId, afterId, pageSize } = {}) {
      const query = {
        ...{ actor, action, object, start_timestamp: from, end_timestamp: to },
        ...{ before_id: beforeId, after_id: afterId, page_size: pageSize },
      }
      return await client.read(listOf<AuditEntry>('id', 'action'), 'GET', '/api/audit', { query })
    },
  }
}

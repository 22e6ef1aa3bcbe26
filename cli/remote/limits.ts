import type { Limit, LimitStatus } from '../../core/limits/limit.ts'
import type { LearnedLimit } from '../../core/limits/schema.ts'
import type { CommandToolkit } from '../toolkit.ts'
import type { Client } from './client.ts'
import { listOf, recordOf } from './guards.ts'

export function remoteLimits(client: Client): CommandToolkit['limits'] {
  return {
    list: (_actor, query = {}) =>
      client.read(listOf<Limit>('id', 'measure', 'amount'), 'GET', '/api/limit/', { query: { ...query } }),
    set: (_actor, limits) =>
      client.read(listOf<Limit>('id', 'measure'), 'PUT', '/api/limit/', { body: { limits: [...limits] } }),
    remove: (_actor, id) => client.read(recordOf<Limit>('id'), 'DELETE', '/api/limit/:id', { params: { id } }),
    status: (_actor, query = {}) =>
      client.read(listOf<LimitStatus>('limit', 'used'), 'GET', '/api/limit/status', { query: { ...query } }),
    learned: () => client.read(listOf<LearnedLimit>('channel_id', 'remaining'), 'GET', '/api/limit/learned'),
  }
}

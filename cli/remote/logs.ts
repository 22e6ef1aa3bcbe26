import { type Actor, ROLE } from '../../core/actor.ts'
import type { LogFilter } from '../../core/logs/filter.ts'
import type { CommandToolkit } from '../toolkit.ts'
import type { Client } from './client.ts'
import { dataOf } from './guards.ts'
import { readReplyRows } from './lines.ts'

/** Returns the base path of log calls: administrators read all rows, others only their own rows. */
const basePath = ({ role }: Actor) => (role >= ROLE.admin ? '/api/log' : '/api/log/self')

export function remoteLogs(client: Client): CommandToolkit['logs'] {
  const filterOf = ({ userId: _, ...filter }: LogFilter) => filter
  return {
    async list(actor, { page, pageSize, ...filter } = {}) {
      const query = { ...filterOf(filter), p: page, page_size: pageSize }
      return await client.read(actor.role >= ROLE.admin ? 'GET /api/log/' : 'GET /api/log/self', { query })
    },
    get: (_actor, id) => client.read('GET /api/log/:id', { path: { id } }),
    stat: (actor, filter = {}) => client.read(`GET ${basePath(actor)}/stat`, { query: filterOf(filter) }),
    receipt: (_actor, id) => client.read('GET /api/log/:id/receipt', { path: { id } }),
    search: (actor, keyword) => client.read(`GET ${basePath(actor)}/search`, { query: { keyword } }),
    ofKey: (key) => client.read('GET /api/log/token', { query: { key } }),
    clear: (_actor, before) => client.read('DELETE /api/log/', { query: { target_timestamp: before } }),
    async *scan(actor, filter = {}, signal) {
      const rows = dataOf('GET /api/log/search')
      yield* readReplyRows(client, { name: `GET ${basePath(actor)}/export`, rows }, { query: filterOf(filter), signal })
    },
    async follow(actor, filter, from, signal) {
      const query = { ...filterOf(filter), ...from }
      return await client.read(`GET ${basePath(actor)}/tail`, { query, signal })
    },
    async counts(_actor, { start, end, username }) {
      const query = { start_timestamp: start, end_timestamp: end, username }
      return await client.read('GET /api/data/', { query })
    },
    async ownCounts(_actor, { start, end }) {
      const query = { start_timestamp: start, end_timestamp: end }
      return await client.read('GET /api/data/self', { query })
    },
  }
}

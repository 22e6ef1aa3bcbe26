import { type Actor, ROLE } from '../../core/actor.ts'
import type { LogFilter } from '../../core/logs/filter.ts'
import type { Followed } from '../../core/logs/logs.ts'
import type { Receipt } from '../../core/logs/receipt.ts'
import type { DashboardCount, Log, LogStat } from '../../core/logs/schema.ts'
import type { CommandToolkit } from '../toolkit.ts'
import type { Client } from './client.ts'
import { hasFields, isNumber, listOf, pageOf } from './guards.ts'
import { readReplyRows } from './lines.ts'

/** Returns the base path of log calls: administrators read all rows, others only their own rows. */
const basePath = ({ role }: Actor) => (role >= ROLE.admin ? '/api/log' : '/api/log/self')

export function remoteLogs(client: Client): CommandToolkit['logs'] {
  const filterOf = ({ userId: _, ...filter }: LogFilter) => filter
  return {
    async list(actor, { page, pageSize, ...filter } = {}) {
      const path = actor.role >= ROLE.admin ? '/api/log/' : '/api/log/self'
      const query = { ...filterOf(filter), p: page, page_size: pageSize }
      return await client.read(pageOf<Log>('id'), 'GET', path, { query })
    },
    get: (_actor, id) => client.read(hasFields<Log>('id'), 'GET', '/api/log/:id', { params: { id } }),
    stat: (actor, filter = {}) =>
      client.read(hasFields<LogStat>('quota'), 'GET', `${basePath(actor)}/stat`, { query: filterOf(filter) }),
    receipt: (_actor, id) => client.read(hasFields<Receipt>(), 'GET', '/api/log/:id/receipt', { params: { id } }),
    search: (actor, keyword) =>
      client.read(listOf<Log>('id'), 'GET', `${basePath(actor)}/search`, { query: { keyword } }),
    ofKey: (key) => client.read(listOf<Log>('id'), 'GET', '/api/log/token', { query: { key } }),
    clear: (_actor, before) => client.read(isNumber, 'DELETE', '/api/log/', { query: { target_timestamp: before } }),
    async *scan(actor, filter = {}, signal) {
      yield* readReplyRows<Log>(client, `${basePath(actor)}/export`, ['id'], { query: filterOf(filter), signal })
    },
    async follow(actor, filter, from, signal) {
      const query = { ...filterOf(filter), ...from }
      return await client.read(hasFields<Followed>('items', 'cursor'), 'GET', `${basePath(actor)}/tail`, {
        query,
        signal,
      })
    },
    async counts(_actor, { start, end, username }) {
      const query = { start_timestamp: start, end_timestamp: end, username }
      return await client.read(listOf<DashboardCount>('model_name'), 'GET', '/api/data/', { query })
    },
    async ownCounts(_actor, { start, end }) {
      const query = { start_timestamp: start, end_timestamp: end }
      return await client.read(listOf<DashboardCount>('model_name'), 'GET', '/api/data/self', { query })
    },
  }
}

import { type Actor, ROLE } from '../../core/actor.ts'
import type { Page } from '../../core/input.ts'
import type { LogFilter } from '../../core/logs/filter.ts'
import type { Followed } from '../../core/logs/logs.ts'
import type { Receipt } from '../../core/logs/receipt.ts'
import type { DashboardCount, Log, LogStat } from '../../core/logs/schema.ts'
import type { CommandToolkit } from '../toolkit.ts'
import type { Client } from './client.ts'
import { readLines } from './lines.ts'

/** Administrators ask for everybody's rows, others for their own. */
const below = ({ role }: Actor) => (role >= ROLE.admin ? '/api/log' : '/api/log/self')

export function remoteLogs(client: Client): CommandToolkit['logs'] {
  const filterOf = ({ userId: _, ...filter }: LogFilter) => filter
  return {
    async list(actor, { page, pageSize, ...filter } = {}) {
      const path = actor.role >= ROLE.admin ? '/api/log/' : '/api/log/self'
      const query = { ...filterOf(filter), p: page, page_size: pageSize }
      return (await client.call('GET', path, { query })) as Page<Log>
    },
    async get(_actor, id) {
      return (await client.call('GET', '/api/log/:id', { params: { id } })) as Log
    },
    async stat(actor, filter = {}) {
      return (await client.call('GET', `${below(actor)}/stat`, { query: filterOf(filter) })) as LogStat
    },
    async receipt(_actor, id) {
      return (await client.call('GET', '/api/log/:id/receipt', { params: { id } })) as Receipt
    },
    async search(actor, keyword) {
      return (await client.call('GET', `${below(actor)}/search`, { query: { keyword } })) as Log[]
    },
    async ofKey(key) {
      return (await client.call('GET', '/api/log/token', { query: { key } })) as Log[]
    },
    async clear(_actor, before) {
      return (await client.call('DELETE', '/api/log/', { query: { target_timestamp: before } })) as number
    },
    async *scan(actor, filter = {}, signal) {
      yield* readLines<Log>(client, `${below(actor)}/export`, { query: filterOf(filter), signal })
    },
    async follow(actor, filter, from, signal) {
      const query = { ...filterOf(filter), ...from }
      return (await client.call('GET', `${below(actor)}/tail`, { query, signal })) as Followed
    },
    async counts(_actor, { start, end, username }) {
      const query = { start_timestamp: start, end_timestamp: end, username }
      return (await client.call('GET', '/api/data/', { query })) as DashboardCount[]
    },
    async ownCounts(_actor, { start, end }) {
      const query = { start_timestamp: start, end_timestamp: end }
      return (await client.call('GET', '/api/data/self', { query })) as DashboardCount[]
    },
  }
}

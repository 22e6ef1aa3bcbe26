import { type Actor, ROLE } from '../../core/actor.ts'
import type { CommandToolkit } from '../toolkit.ts'
import type { Client } from './client.ts'

export function remoteTokens(client: Client): CommandToolkit['tokens'] {
  /** Returns the query with which root manages the tokens of all users, as with the local database. */
  const everybodyQuery = ({ role }: Actor) => ({ everybody: role >= ROLE.root || undefined })
  return {
    get: (actor, id) => client.read('GET /api/token/:id', { path: { id }, query: everybodyQuery(actor) }),
    async list(actor, { page, pageSize, keyword, ownerId = actor.id } = {}) {
      const query = { p: page, page_size: pageSize, keyword, user_id: ownerId === actor.id ? undefined : ownerId }
      return await client.read('GET /api/token/page', { query })
    },
    search: (_actor, { keyword, key }) => client.read('POST /api/token/find', { body: { keyword, token: key } }),
    async create(actor, token, { ownerId = actor.id, uniqueName = true } = {}) {
      const query = { unique_name: uniqueName, user_id: ownerId === actor.id ? undefined : ownerId }
      return await client.read('POST /api/token/', { query: { answer: 'record', ...query }, body: token })
    },
    update: (actor, id, changes) =>
      client.read('PUT /api/token/', { query: everybodyQuery(actor), body: { id, ...changes } }),
    async setStatus(actor, id, status) {
      const query = { status_only: 'true', ...everybodyQuery(actor) }
      return await client.read('PUT /api/token/', { query, body: { id, status } })
    },
    async delete(actor, id) {
      await client.call('DELETE /api/token/:id', { path: { id }, query: everybodyQuery(actor) })
    },
  }
}

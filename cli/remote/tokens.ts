import { type Actor, ROLE } from '../../core/actor.ts'
import type { Page } from '../../core/input.ts'
import type { Token } from '../../core/tokens/token.ts'
import type { CommandToolkit } from '../toolkit.ts'
import type { Client } from './client.ts'

export function remoteTokens(client: Client): CommandToolkit['tokens'] {
  /** Root manages everybody's, as on the machine itself. */
  const sight = ({ role }: Actor) => ({ everybody: role >= ROLE.root || undefined })
  return {
    async get(actor, id) {
      return (await client.call('GET', '/api/token/:id', { params: { id }, query: sight(actor) })) as Token
    },
    async list(actor, { page, pageSize, keyword, ownerId = actor.id } = {}) {
      const query = { p: page, page_size: pageSize, keyword, user_id: ownerId === actor.id ? undefined : ownerId }
      return (await client.call('GET', '/api/token/page', { query })) as Page<Token>
    },
    async search(_actor, { keyword, key }) {
      return (await client.call('POST', '/api/token/find', { body: { keyword, token: key } })) as Token[]
    },
    async create(actor, token, { ownerId = actor.id, uniqueName = true } = {}) {
      const query = { answer: 'record', unique_name: uniqueName, user_id: ownerId === actor.id ? undefined : ownerId }
      return (await client.call('POST', '/api/token/', { query, body: token })) as Token
    },
    async update(actor, id, changes) {
      return (await client.call('PUT', '/api/token/', { query: sight(actor), body: { id, ...changes } })) as Token
    },
    async setStatus(actor, id, status) {
      const query = { status_only: true, ...sight(actor) }
      return (await client.call('PUT', '/api/token/', { query, body: { id, status } })) as Token
    },
    async delete(actor, id) {
      await client.call('DELETE', '/api/token/:id', { params: { id }, query: sight(actor) })
    },
  }
}

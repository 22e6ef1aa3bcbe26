import type { Page } from '../../core/input.ts'
import type { Token } from '../../core/tokens/token.ts'
import type { CommandToolkit } from '../toolkit.ts'
import type { Client } from './client.ts'

export function remoteTokens(client: Client): CommandToolkit['tokens'] {
  return {
    async get(_actor, id) {
      return (await client.call('GET', '/api/token/:id', { params: { id } })) as Token
    },
    async list(actor, { page, pageSize, keyword, ownerId = actor.id } = {}) {
      const query = { p: page, page_size: pageSize, keyword, user_id: ownerId === actor.id ? undefined : ownerId }
      return (await client.call('GET', '/api/token/page', { query })) as Page<Token>
    },
    async create(actor, token, { ownerId = actor.id } = {}) {
      const query = { answer: 'record', unique_name: true, user_id: ownerId === actor.id ? undefined : ownerId }
      return (await client.call('POST', '/api/token/', { query, body: token })) as Token
    },
    async setStatus(_actor, id, status) {
      const answer = await client.call('PUT', '/api/token/', { query: { status_only: true }, body: { id, status } })
      return answer as Token
    },
    async delete(_actor, id) {
      await client.call('DELETE', '/api/token/:id', { params: { id } })
    },
  }
}

import type { ChannelChecks } from '../channel-checks.ts'
import type { Client } from './client.ts'
import { hasFields } from './guards.ts'

/** Timeout of calls, longer than the server's own timeout for upstreams. */
const TIMEOUT_MS = 90_000

export function remoteChannelChecks(client: Client): ChannelChecks {
  return {
    async test(_actor, id, { signal, ...options } = {}) {
      const query = { ...options, answer: 'record' as const }
      const call = { path: { id }, query, timeoutMs: TIMEOUT_MS, signal }
      return await client.read('GET /api/channel/test/:id', call)
    },
    async updateBalance(_actor, id, { signal } = {}) {
      const call = { path: { id }, timeoutMs: TIMEOUT_MS, signal }
      const guard = hasFields<{ balance: number }>('balance')
      return (await client.readWhole(guard, 'GET /api/channel/update_balance/:id', call)).balance
    },
    async fetchModels(_actor, id) {
      const call = { path: { id }, timeoutMs: TIMEOUT_MS }
      return await client.read('GET /api/channel/fetch_models/:id', call)
    },
    fetchModelsFrom: (_actor, body) => client.read('POST /api/channel/fetch_models', { body, timeoutMs: TIMEOUT_MS }),
    presets: () => client.read('GET /api/models'),
    async builtInModels() {
      const models = await client.read('GET /api/channel/models')
      return models.map(({ id, owned_by }) => ({ id, owner: owned_by }))
    },
  }
}

import type { ChannelChecks, ChannelTestResult } from '../channel-checks.ts'
import type { Client } from './client.ts'

/** Longer than the server waits for an upstream. */
const TIMEOUT_MS = 90_000

export function remoteChannelChecks(client: Client): ChannelChecks {
  return {
    async test(_actor, id, { signal, ...options } = {}) {
      const query = { ...options, answer: 'record' }
      const asked = { params: { id }, query, timeoutMs: TIMEOUT_MS, signal }
      return (await client.call('GET', '/api/channel/test/:id', asked)) as ChannelTestResult
    },
    async balance(_actor, id, { signal } = {}) {
      const asked = { params: { id }, timeoutMs: TIMEOUT_MS, signal }
      return Number((await client.ask('GET', '/api/channel/update_balance/:id', asked)).document.balance)
    },
    async models(_actor, id) {
      const asked = { params: { id }, timeoutMs: TIMEOUT_MS }
      return (await client.call('GET', '/api/channel/fetch_models/:id', asked)) as string[]
    },
    async modelsAt(_actor, body) {
      return (await client.call('POST', '/api/channel/fetch_models', { body, timeoutMs: TIMEOUT_MS })) as string[]
    },
    async presets() {
      return (await client.call('GET', '/api/models')) as Record<string, string[]>
    },
    async listedModels() {
      const models = (await client.call('GET', '/api/channel/models')) as { id: string; owned_by: string }[]
      return models.map(({ id, owned_by }) => ({ id, owner: owned_by }))
    },
  }
}

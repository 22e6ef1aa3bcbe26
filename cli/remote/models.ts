import type { Group } from '../../core/groups/schema.ts'
import type { PriceDetail } from '../../core/pricing/price-details.ts'
import type { CommandToolkit } from '../toolkit.ts'
import type { Client } from './client.ts'

/** Models, what they cost, and the groups that they are served for. */
export function remoteModels(client: Client): Pick<CommandToolkit, 'groups' | 'prices' | 'models'> {
  const details = async (model?: string) =>
    (await client.call('GET', '/api/pricing/details', { query: { model } })) as PriceDetail[]
  return {
    groups: {
      list: async () => (await client.call('GET', '/api/group/details')) as Group[],
    },
    prices: {
      list: () => details(),
      async get(_actor, model) {
        const [row] = await details(model)
        if (!row) throw new Error('a model that is asked for is answered or refused')
        return row
      },
    },
    models: {
      usable: async () => (await client.call('GET', '/api/user/models')) as string[],
      presets: async () => (await client.call('GET', '/api/models')) as Record<string, string[]>,
    },
  }
}

import type { Group } from '../../core/groups/schema.ts'
import type { PriceDetail } from '../../core/pricing/price-details.ts'
import type { CommandToolkit } from '../toolkit.ts'
import type { Client } from './client.ts'
import { hasFields, isTextList, listOf } from './guards.ts'

/** Returns the operations for models, their prices, and groups. */
export function remoteModels(client: Client): Pick<CommandToolkit, 'groups' | 'prices' | 'models'> {
  const details = async (model?: string) =>
    await client.read(listOf<PriceDetail>('model_name'), 'GET', '/api/pricing/details', { query: { model } })
  return {
    groups: { list: () => client.read(listOf<Group>('name'), 'GET', '/api/group/details') },
    prices: {
      list: () => details(),
      async get(_actor, model) {
        const [row] = await details(model)
        if (!row) throw new Error('the server returned neither a price nor an error for the model')
        return row
      },
    },
    models: {
      usable: () => client.read(isTextList, 'GET', '/api/user/models'),
      presets: () => client.read(hasFields<Record<string, string[]>>(), 'GET', '/api/models'),
    },
  }
}

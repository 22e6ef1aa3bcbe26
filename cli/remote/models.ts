import type { CommandToolkit } from '../toolkit.ts'
import type { Client } from './client.ts'

/** Returns the operations for models, their prices, and groups. */
export function remoteModels(client: Client): Pick<CommandToolkit, 'groups' | 'prices' | 'models'> {
  const details = async (model?: string) => await client.read('GET /api/pricing/details', { query: { model } })
  return {
    groups: { list: () => client.read('GET /api/group/details') },
    prices: {
      list: () => details(),
      async get(_actor, model) {
        const [row] = await details(model)
        if (!row) throw new Error('the server returned neither a price nor an error for the model')
        return row
      },
    },
    models: {
      usable: () => client.read('GET /api/user/models'),
      presets: () => client.read('GET /api/models'),
    },
  }
}

import { GatewayError } from '../../core/errors.ts'
import { findOption } from '../../core/options/registry.ts'
import type { CommandToolkit } from '../toolkit.ts'
import type { Client } from './client.ts'

export function remoteOptions(client: Client): CommandToolkit['options'] {
  const list = () => client.read('GET /api/option/')
  return {
    list,
    // The list omits secret options, so an option that is not in the list is secret or unknown.
    async read(_actor, key) {
      const option = (await list()).find((each) => each.key === key)
      if (option) return option.value
      throw findOption(key)?.secret
        ? new GatewayError('OPTION_SECRET', { key })
        : new GatewayError('OPTION_UNKNOWN', { key })
    },
    async set(_actor, key, value) {
      await client.call('PUT /api/option/', { body: { key, value } })
    },
    async change(_actor, changes) {
      await client.call('PUT /api/option/batch', { body: { changes } })
    },
    async reset(_actor, keys) {
      await client.call('POST /api/option/reset', { body: { keys } })
    },
  }
}

import type { ConfigurationDocument, ConfigurationPlan } from '../../core/configuration/schema.ts'
import type { CommandToolkit } from '../toolkit.ts'
import type { Client } from './client.ts'
import { recordOf } from './guards.ts'

const plan = recordOf<ConfigurationPlan>('changes')

export function remoteConfiguration(client: Client): CommandToolkit['configuration'] {
  return {
    export: () => client.read(recordOf<ConfigurationDocument>('version'), 'GET', '/api/configuration'),
    plan: (_actor, body) => client.read(plan, 'POST', '/api/configuration/plan', { body }),
    apply: (_actor, body) => client.read(plan, 'POST', '/api/configuration/apply', { body }),
  }
}

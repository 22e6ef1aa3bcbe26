import { OPTIONS } from '../../core/options/registry.ts'
import type { LocalToolkit } from '../../core/toolkit.ts'
import { VERSION } from '../../core/version.ts'
import type { GatewayInfo } from '../gateway-info.ts'

/** Gateway information from the database. */
export function localGateway(toolkit: LocalToolkit): GatewayInfo {
  return {
    async status(actor) {
      await toolkit.ping()
      const { id, username, role } = await toolkit.accounts.get(actor, actor.id)
      return {
        kind: 'database',
        address: toolkit.db.name,
        name: toolkit.options.get(OPTIONS.SystemName),
        version: VERSION,
        start_time: 0,
        database: 'answers',
        user: { id, username, role },
      }
    },
    async content(name) {
      const { get } = toolkit.options
      return { notice: get(OPTIONS.Notice), about: get(OPTIONS.About), home: get(OPTIONS.HomePageContent) }[name]
    },
  }
}

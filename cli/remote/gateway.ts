import { ROLE } from '../../core/actor.ts'
import { GatewayError } from '../../core/errors.ts'
import type { ContentName, GatewayInfo, GatewayStatus } from '../gateway-info.ts'
import type { Client } from './client.ts'
import { fetchIdentity } from './identity.ts'

const CALLS = {
  notice: 'GET /api/notice',
  about: 'GET /api/about',
  home: 'GET /api/home_page_content',
} as const satisfies Record<ContentName, string>

export function remoteGateway(client: Client): GatewayInfo {
  async function database(role: number): Promise<GatewayStatus['database']> {
    if (role < ROLE.admin) return 'unknown'
    try {
      await client.call('GET /api/status/test')
      return 'answers'
    } catch (error) {
      if (error instanceof GatewayError && error.code === 'DATABASE_SILENT') return 'silent'
      throw error
    }
  }

  return {
    async status() {
      const status = await client.read('GET /api/status')
      const { id, username, role } = await fetchIdentity(client)
      return {
        kind: 'server',
        address: client.server.url,
        name: status.system_name,
        version: status.version,
        start_time: status.start_time,
        database: await database(role),
        user: { id, username, role },
      }
    },
    content: (name) => client.read(CALLS[name]),
  }
}

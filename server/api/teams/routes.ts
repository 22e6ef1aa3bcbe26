import type { FastifyPluginAsync } from 'fastify'
import { named } from '../../named.ts'
import type { ApiParts } from '../parts.ts'
import { teamKeyRoutes } from './keys.ts'
import { teamMemberRoutes } from './members.ts'
import { teamRecordRoutes } from './records.ts'
import { teamUsageRoutes } from './usage.ts'

/** Teams, their members, keys and usage. For users who are not members, a team does not exist. */
export const teamRoutes: FastifyPluginAsync<ApiParts> = async (app, parts) => {
  for (const routes of [teamRecordRoutes, teamMemberRoutes, teamKeyRoutes, teamUsageRoutes]) {
    await app.register(named(routes), parts)
  }
}

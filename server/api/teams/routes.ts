import type { FastifyPluginAsync } from 'fastify'
import { named } from '../../named.ts'
import type { ApiParts } from '../parts.ts'
import { teamKeyRoutes } from './keys.ts'
import { teamMemberRoutes } from './members.ts'
import { teamRecordRoutes } from './records.ts'
import { teamUsageRoutes } from './usage.ts'

/** Routes of teams, their members, keys and usage. For a user who is not a member, the team seems not to exist. */
export const teamRoutes: FastifyPluginAsync<ApiParts> = async (app, parts) => {
  for (const routes of [teamRecordRoutes, teamMemberRoutes, teamKeyRoutes, teamUsageRoutes]) {
    await app.register(named(routes), parts)
  }
}

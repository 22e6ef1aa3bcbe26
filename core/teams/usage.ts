import type { Actor } from '../actor.ts'
import type { Page, Paging } from '../input.ts'
import type { LogFilter } from '../logs/filter.ts'
import type { Log, LogStat } from '../logs/schema.ts'
import type { RequestTrace } from '../logs/trace-schema.ts'
import type { DashboardQuery } from '../logs/usage/dashboard.ts'
import type { TeamGrouping } from '../logs/usage/groupings.ts'
import type { Dashboard } from '../logs/usage/schema.ts'
import { asTeam, requireAccess } from './access.ts'
import type { TeamParts } from './parts.ts'

export type TeamLogFilter = Omit<LogFilter, 'userId' | 'username' | 'channel'>

/**
 * Reads the usage of teams. Owner and admins see the usage of all keys, and can filter by member. Members see the usage
 * of their own keys. All operations throw TEAM_NOT_FOUND if the actor has no rights in the team.
 */
export type TeamUsage = ReturnType<typeof createTeamUsage>

export function createTeamUsage({ db, logs }: TeamParts) {
  /** Returns the team's account as an actor, and a filter by member, which only owner and admins may choose. */
  async function scopeOf(
    actor: Actor,
    id: number,
    requestedMember?: number,
  ): Promise<{ team: Actor; memberFilter: { memberId?: number } }> {
    const access = await requireAccess(db.reader, actor, id)
    const memberId = access.role === 'member' ? actor.id : requestedMember
    return { team: asTeam(access), memberFilter: memberId === undefined ? {} : { memberId } }
  }

  return {
    async logs(actor: Actor, id: number, filter: TeamLogFilter & Paging = {}): Promise<Page<Log>> {
      const { team, memberFilter } = await scopeOf(actor, id, filter.memberId)
      return logs.list(team, { ...filter, ...memberFilter })
    },
    async stat(actor: Actor, id: number, filter: TeamLogFilter = {}): Promise<LogStat> {
      const { team, memberFilter } = await scopeOf(actor, id, filter.memberId)
      return logs.stat(team, { ...filter, ...memberFilter })
    },
    /** Returns the trace of a request, with its receipt. Throws LOG_NOT_FOUND. */
    async request(actor: Actor, id: number, requestId: string): Promise<RequestTrace> {
      const { team, memberFilter } = await scopeOf(actor, id)
      return logs.trace(team, requestId, memberFilter)
    },
    async dashboard(
      actor: Actor,
      id: number,
      query: Omit<DashboardQuery, 'scope' | 'username' | 'ofTeam' | 'by'> & { by: TeamGrouping },
      known?: string,
    ): Promise<{ version: string; data?: Dashboard }> {
      const { team, memberFilter } = await scopeOf(actor, id, query.memberId)
      return logs.dashboard(team, { ...query, ...memberFilter, scope: 'own', ofTeam: true }, known)
    },
  }
}

import type { Actor } from '../core/actor.ts'
import { GatewayError } from '../core/errors.ts'
import type { Team, TeamMember } from '../core/teams/team.ts'
import type { CommandToolkit } from './toolkit.ts'
import { isId } from './users.ts'

type Teams = Pick<CommandToolkit, 'teams'>

/** Finds a team by id or name. Digits are an id, because no team name has only digits. Throws TEAM_NOT_FOUND. */
export async function teamOf({ teams }: Teams, actor: Actor, nameOrId: string): Promise<Team> {
  return isId(nameOrId) ? teams.get(actor, Number(nameOrId)) : teams.getByName(actor, nameOrId)
}

/** Finds a member by user name or id. Throws TEAM_MEMBER_NOT_FOUND. */
export async function memberOf(
  { teams }: Teams,
  actor: Actor,
  { team, member }: { team: Team; member: string },
): Promise<TeamMember> {
  const members = await teams.members(actor, team.id)
  const match =
    members.find(({ username }) => username === member) ??
    members.find(({ user_id }) => isId(member) && user_id === Number(member))
  if (!match) throw new GatewayError('TEAM_MEMBER_NOT_FOUND', { id: member })
  return match
}

/** Returns the user names of a team's members by user id. */
export async function memberNames({ teams }: Teams, actor: Actor, id: number): Promise<Map<number, string>> {
  const members = await teams.members(actor, id)
  return new Map(members.map(({ user_id, username }) => [user_id, username]))
}

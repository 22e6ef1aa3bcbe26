export type { Team, TeamInvite, TeamMember } from './schema.ts'

/** Highest role first. A team has one owner. */
export const TEAM_ROLES = ['owner', 'admin', 'member'] as const
export type TeamRole = (typeof TEAM_ROLES)[number]

/** Roles that invites and role changes can assign; ownership is transferred instead. */
export const GIVEN_ROLES = ['admin', 'member'] as const
export type GivenRole = (typeof GIVEN_ROLES)[number]

/** Whether a role has at least the rights of another. */
export function isAtLeast(role: TeamRole, least: TeamRole): boolean {
  return TEAM_ROLES.indexOf(role) <= TEAM_ROLES.indexOf(least)
}

/** User name of a team's account. Users cannot choose names with `@`. */
export const accountName = (team: string): string => `@${team}`

export const MEMBERS_MAX = 1000

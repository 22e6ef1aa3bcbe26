export type { Team, TeamInvite, TeamMember } from './schema.ts'

/** The roles, the highest first. A team has one owner. */
export const TEAM_ROLES = ['owner', 'admin', 'member'] as const
export type TeamRole = (typeof TEAM_ROLES)[number]

/** The roles that invites and role changes can assign. Ownership is transferred (`setOwner`). */
export const GIVEN_ROLES = ['admin', 'member'] as const
export type GivenRole = (typeof GIVEN_ROLES)[number]

/** Returns whether a role has at least the rights of another role. */
export function isAtLeast(role: TeamRole, least: TeamRole): boolean {
  return TEAM_ROLES.indexOf(role) <= TEAM_ROLES.indexOf(least)
}

/** Returns the username of a team's account. Users cannot choose names with `@`. */
export const accountName = (team: string): string => `@${team}`

export const MEMBERS_MAX = 1000

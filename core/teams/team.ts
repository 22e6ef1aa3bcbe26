export type { Team, TeamInvite, TeamMember } from './schema.ts'

/** The roles, from the highest to the lowest. A team has one owner. */
export const TEAM_ROLES = ['owner', 'admin', 'member'] as const
export type TeamRole = (typeof TEAM_ROLES)[number]

/** The roles that invites and role changes can assign. To change the owner, use `setOwner`. */
export const GIVEN_ROLES = ['admin', 'member'] as const
export type GivenRole = (typeof GIVEN_ROLES)[number]

/** Returns whether `role` has at least the rights of `least`. */
export function isAtLeast(role: TeamRole, least: TeamRole): boolean {
  return TEAM_ROLES.indexOf(role) <= TEAM_ROLES.indexOf(least)
}

/** Returns the username of a team's account. Users cannot choose names with `@`, so there is no conflict. */
export const accountName = (team: string): string => `@${team}`

export const MEMBERS_MAX = 1000

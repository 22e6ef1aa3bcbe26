import { createTeamAdministration, type TeamAdministration } from './administration.ts'
import { createTeamKeys, type TeamKeys } from './keys.ts'
import { createTeamMembership, type TeamMembership } from './members.ts'
import { createTeamMoney, type TeamMoney } from './money.ts'
import type { TeamParts } from './parts.ts'
import { createTeamUsage, type TeamUsage } from './usage.ts'

/**
 * Teams, whose members share a prepaid balance. To users who are not members, an existing team looks like a missing
 * one. Administrators of the gateway have an owner's rights in each team whose owner they may manage.
 */
export interface Teams extends TeamAdministration, TeamMembership, TeamMoney {
  readonly keys: TeamKeys
  readonly usage: TeamUsage
}

export function createTeams(parts: TeamParts): Teams {
  return {
    ...createTeamAdministration(parts),
    ...createTeamMembership(parts),
    ...createTeamMoney(parts),
    keys: createTeamKeys(parts),
    usage: createTeamUsage(parts),
  }
}

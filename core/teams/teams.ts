import { createTeamAdministration } from './administration.ts'
import { createTeamKeys } from './keys.ts'
import { createTeamMembership } from './members.ts'
import { createTeamMoney } from './money.ts'
import type { TeamParts } from './parts.ts'
import { createTeamUsage } from './usage.ts'

/**
 * Teams, whose members share a prepaid balance. To users who are not members, an existing team looks like a missing
 * one. Administrators of the gateway have an owner's rights in each team whose owner they may manage.
 */
export type Teams = ReturnType<typeof createTeams>

export function createTeams(parts: TeamParts) {
  return {
    ...createTeamAdministration(parts),
    ...createTeamMembership(parts),
    ...createTeamMoney(parts),
    keys: createTeamKeys(parts),
    usage: createTeamUsage(parts),
  }
}

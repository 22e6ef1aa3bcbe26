import type { Knex } from 'knex'
import { recordChange } from '../changes/changes.ts'
import { GatewayError } from '../errors.ts'
import { removeLimitsOfSubject } from '../limits/remove.ts'

/** Removes a member with the member's team keys, limits and unused invites. Relays then reject the keys. */
export async function removeMember(
  trx: Knex.Transaction,
  { teamId, userId, now }: { teamId: number; userId: number; now: number },
): Promise<void> {
  await deleteTeamKeys(trx, { user_id: teamId, member_id: userId }, now)
  await removeLimitsOfSubject(trx, { subject: 'member', subject_id: `${teamId}/${userId}` })
  await revokeInvitesOf(trx, { teamId, userId })
  await trx('team_members').where({ team_id: teamId, user_id: userId }).delete()
}

/** Deletes the unused invites of a user who may no longer invite, because the user could rejoin with them. */
export async function revokeInvitesOf(
  trx: Knex.Transaction,
  { teamId, userId }: { teamId: number; userId: number },
): Promise<void> {
  await trx('team_invites').where({ team_id: teamId, created_by: userId, used_by: 0 }).delete()
}

/** Removes a deleted user from all teams. A team of which the user is the owner stays without an owner. */
export async function removeFromTeams(trx: Knex.Transaction, userId: number, now: number): Promise<void> {
  const teams: number[] = await trx('team_members').where({ user_id: userId }).orderBy('team_id').pluck('team_id')
  for (const teamId of teams) await removeMember(trx, { teamId, userId, now })
}

/** Throws TEAM_OWNED if the user is the owner of teams, because these teams would have no owner left. */
export async function requireNoTeams(trx: Knex.Transaction, userId: number): Promise<void> {
  const names: string[] = await trx('team_members')
    .join('teams', 'teams.id', 'team_members.team_id')
    .where({ user_id: userId, role: 'owner' })
    .orderBy('name')
    .pluck('name')
  if (names.length > 0) throw new GatewayError('TEAM_OWNED', { names: names.join(', ') })
}

/** Deletes the team keys that match `which`, and the limits of these keys. */
export async function deleteTeamKeys(
  trx: Knex.Transaction,
  which: { user_id: number; member_id?: number },
  now: number,
): Promise<void> {
  const keys = trx('tokens').where(which).whereNotNull('member_id').whereNull('deleted_at')
  const ids: number[] = await keys.clone().orderBy('id').forUpdate().pluck('id')
  if (ids.length === 0) return
  await keys.update({ deleted_at: new Date(now * 1000).toISOString() })
  for (const id of ids) await removeLimitsOfSubject(trx, { subject: 'token', subject_id: String(id) })
  await recordChange(trx, 'token', ids)
}

import type { Knex } from 'knex'
import { type Actor, USER_STATUS } from '../actor.ts'
import { recordChange } from '../changes/changes.ts'
import { countRows } from '../db/page.ts'
import { GatewayError } from '../errors.ts'
import { defined } from '../records.ts'
import { lockTeam } from './access.ts'
import { removeMember, revokeInvitesOf } from './leaving.ts'
import { type AccountParts, auditForeign } from './parts.ts'
import { MEMBERS_MAX, type TeamRole } from './team.ts'

/** Changes of a team. Undefined fields do not change. */
interface Arrangement {
  group?: string | undefined
  enabled?: boolean | undefined
  /** New roles by user id. `undefined` removes the member. If the owner changes, the old owner needs a new role. */
  roles: ReadonlyMap<number, TeamRole | undefined>
}

/**
 * Changes the account and the members of a team on behalf of an administrator of the gateway. New members need no
 * invite. Runs in the caller's transaction. Deletes the team keys of removed members. Throws TEAM_NOT_FOUND, TEAM_ROLE,
 * TEAM_FULL.
 */
export async function arrangeTeam(
  trx: Knex.Transaction,
  parts: AccountParts,
  actor: Actor,
  { id, group, enabled, roles }: Arrangement & { id: number },
): Promise<void> {
  const { now } = parts
  const access = await lockTeam(trx, actor, id, 'owner')
  // Audit the changes even if the actor is a member, because the actor makes them as an administrator of the gateway.
  const audited = { ...access, ownRole: undefined }
  const status = enabled === undefined ? undefined : enabled ? USER_STATUS.enabled : USER_STATUS.disabled
  const account = defined({ group, status })
  if (Object.keys(account).length > 0) {
    await trx('users').where({ id }).update(account)
    await recordChange(trx, 'user', [id])
    await auditForeign(parts, trx, actor, audited, { action: 'team.update', after: account })
  }
  if (roles.size === 0) return
  const rows = await trx('team_members').where({ team_id: id }).select('user_id', 'role')
  const before = new Map(rows.map(({ user_id, role }) => [Number(user_id), role]))
  for (const [userId, role] of roles) {
    const member = { team_id: id, user_id: userId }
    if (role === undefined) await removeMember(trx, { teamId: id, userId, now: now() })
    else if (before.has(userId)) await trx('team_members').where(member).update({ role })
    else await trx('team_members').insert({ ...member, role, joined_at: now() })
    if (role === 'member' && before.has(userId)) await revokeInvitesOf(trx, { teamId: id, userId })
  }
  const count = await countRows(trx('team_members').where({ team_id: id }))
  if (count > MEMBERS_MAX) throw new GatewayError('TEAM_FULL', { max: MEMBERS_MAX })
  const after = Object.fromEntries([...roles].map(([userId, role]) => [String(userId), role ?? null]))
  await auditForeign(parts, trx, actor, audited, { action: 'team.member', after: { roles: after } })
}

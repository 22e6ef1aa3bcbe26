import type { Knex } from 'knex'
import { type Actor, ROLE, USER_KIND, USER_STATUS } from '../actor.ts'
import { countRows } from '../db/page.ts'
import { requireRow } from '../db/require-row.ts'
import { GatewayError, isUniqueViolation } from '../errors.ts'
import { oneOf, requireWholeNumber } from '../input.ts'
import { randomAlphanumerics } from '../secrets.ts'
import { lockTeam, requireAccess, roleIn, type TeamAccess } from './access.ts'
import { removeMember, revokeInvitesOf } from './leaving.ts'
import { auditForeign, type TeamParts } from './parts.ts'
import {
  GIVEN_ROLES,
  type GivenRole,
  isAtLeast,
  MEMBERS_MAX,
  type TeamInvite,
  type TeamMember,
  type TeamRole,
} from './team.ts'

/** Prefix of invite codes, by which users recognize them. */
const INVITE_PREFIX = 'team-'
const CODE_LENGTH = 32
const EXPIRES_HOURS = 72
const EXPIRES_HOURS_MAX = 720
const INVITES_MAX = 100

/**
 * Manages members and invites of teams. Operations on a team throw TEAM_NOT_FOUND if the actor has no rights in the
 * team. They throw TEAM_ROLE if the actor's role does not allow the operation.
 */
export function createTeamMembership(parts: TeamParts) {
  const { db, secrets, follower, now } = parts

  async function members(actor: Actor, id: number): Promise<TeamMember[]> {
    const { role } = await requireAccess(db.reader, actor, id)
    const rows: Omit<TeamMember, 'keys' | 'used_quota'>[] = await db
      .reader('team_members')
      .join('users', 'users.id', 'team_members.user_id')
      .where({ team_id: id })
      .modify((query) => void (role === 'member' && query.where({ user_id: actor.id })))
      .orderBy([{ column: 'joined_at' }, { column: 'user_id' }])
      .select('user_id', 'users.username', 'team_members.role', 'users.status', 'joined_at')
    const keys = await db
      .reader('tokens')
      .where({ user_id: id })
      .whereNotNull('member_id')
      .groupBy('member_id')
      .select<{ member_id: number; alive: number | string; used: number | string }[]>(
        'member_id',
        db.reader.raw('count(CASE WHEN deleted_at IS NULL THEN 1 END) AS alive'),
        db.reader.raw('sum(used_quota) AS used'),
      )
    return rows.map((row) => {
      const keysOfMember = keys.find(({ member_id }) => member_id === row.user_id)
      return {
        ...row,
        joined_at: Number(row.joined_at),
        keys: Number(keysOfMember?.alive ?? 0),
        used_quota: Number(keysOfMember?.used ?? 0),
      }
    })
  }

  /** Locks a team and runs `work`. If the actor is not a member, audits the fields that `work` returns. */
  async function change(
    actor: Actor,
    id: number,
    least: TeamRole,
    work: (access: TeamAccess, trx: Knex.Transaction) => Promise<Record<string, unknown>>,
  ): Promise<void> {
    await db.transaction(async (trx) => {
      const access = await lockTeam(trx, actor, id, least)
      const after = await work(access, trx)
      await auditForeign(parts, trx, actor, access, { action: 'team.member', after })
    })
    await follower.catchUp()
  }

  const unusedInvites = (id: number) => ({ team_id: id, used_by: 0 })

  return {
    /** Returns the members. The owner and admins see all members, and other members see only themselves. */
    members,

    /**
     * Makes a member an admin, or an admin a member. Returns the members. Only for the owner. Throws
     * TEAM_MEMBER_NOT_FOUND, TEAM_OWNER_ROLE, FIELD_CHOICE.
     */
    async setRole(
      actor: Actor,
      id: number,
      { userId, role: requestedRole }: { userId: number; role: GivenRole },
    ): Promise<TeamMember[]> {
      const role = oneOf('role', requestedRole, GIVEN_ROLES)
      await change(actor, id, 'owner', async ({ name }, trx) => {
        const before = await requireMember(trx, { teamId: id, userId })
        if (before === 'owner') throw new GatewayError('TEAM_OWNER_ROLE', { name })
        await trx('team_members').where({ team_id: id, user_id: userId }).update({ role })
        if (role === 'member') await revokeInvitesOf(trx, { teamId: id, userId })
        return { user_id: userId, role }
      })
      return members(actor, id)
    },

    /** Makes a member the owner, and the owner an admin. Returns members. Owner only. Throws TEAM_MEMBER_NOT_FOUND. */
    async setOwner(actor: Actor, id: number, userId: number): Promise<TeamMember[]> {
      await change(actor, id, 'owner', async (_, trx) => {
        await requireMember(trx, { teamId: id, userId })
        await trx('team_members').where({ team_id: id, role: 'owner' }).update({ role: 'admin' })
        await trx('team_members').where({ team_id: id, user_id: userId }).update({ role: 'owner' })
        return { user_id: userId, role: 'owner' }
      })
      return members(actor, id)
    },

    /** Removes a member of a lower role, with the member's team keys. Throws TEAM_MEMBER_NOT_FOUND, TEAM_OWNER_ROLE. */
    async removeMember(actor: Actor, id: number, userId: number): Promise<void> {
      await change(actor, id, 'admin', async ({ name, role }, trx) => {
        const memberRole = await requireMember(trx, { teamId: id, userId })
        if (memberRole === 'owner') throw new GatewayError('TEAM_OWNER_ROLE', { name })
        if (isAtLeast(memberRole, role)) throw new GatewayError('TEAM_ROLE', { role: 'owner' })
        await removeMember(trx, { teamId: id, userId, now: now() })
        return { removed: userId }
      })
    },

    /** Removes the actor, with the actor's team keys. Throws TEAM_MEMBER_NOT_FOUND, TEAM_OWNER_LEAVES (the owner). */
    async leave(actor: Actor, id: number): Promise<void> {
      await db.transaction(async (trx) => {
        const { name, ownRole } = await lockTeam(trx, actor, id)
        if (!ownRole) throw new GatewayError('TEAM_MEMBER_NOT_FOUND', { id: actor.id })
        if (ownRole === 'owner') throw new GatewayError('TEAM_OWNER_LEAVES', { name })
        await removeMember(trx, { teamId: id, userId: actor.id, now: now() })
      })
      await follower.catchUp()
    },

    /** Returns unexpired, unused invites, newest first, without their codes. Only for owner and admins. */
    async invites(actor: Actor, id: number): Promise<TeamInvite[]> {
      await requireAccess(db.reader, actor, id, 'admin')
      const rows: TeamInvite[] = await db
        .reader('team_invites')
        .where(unusedInvites(id))
        .where('expires_at', '>', now())
        .orderBy('id', 'desc')
        .select(...INVITE_COLUMNS)
      return rows.map(toInvite)
    },

    /**
     * Creates an invite for one user. Only this result contains the code. For owner and admins, but only the owner can
     * invite admins. Throws TEAM_INVITES_TOO_MANY, FIELD_*.
     */
    async invite(
      actor: Actor,
      id: number,
      { role: requestedRole = 'member', hours = EXPIRES_HOURS }: { role?: GivenRole; hours?: number } = {},
    ): Promise<TeamInvite> {
      const role = oneOf('role', requestedRole, GIVEN_ROLES)
      const seconds = requireWholeNumber('hours', hours, { min: 1, max: EXPIRES_HOURS_MAX }) * 3600
      const code = INVITE_PREFIX + randomAlphanumerics(CODE_LENGTH)
      return db.transaction(async (trx) => {
        const access = await lockTeam(trx, actor, id, role === 'admin' ? 'owner' : 'admin')
        await trx('team_invites').where({ team_id: id }).where('expires_at', '<=', now()).delete()
        const openInvites = await countRows(trx('team_invites').where(unusedInvites(id)))
        if (openInvites >= INVITES_MAX) throw new GatewayError('TEAM_INVITES_TOO_MANY', { max: INVITES_MAX })
        const created = { role, created_by: actor.id, created_at: now(), expires_at: now() + seconds }
        const [row] = await trx('team_invites')
          .insert({ team_id: id, code_hash: secrets.digest(code), ...created })
          .returning([...INVITE_COLUMNS])
        await auditForeign(parts, trx, actor, access, { action: 'team.member', after: { invited: role } })
        return { ...toInvite({ ...requireRow(row), role }), code }
      })
    },

    /** Deletes an unused invite. Only for owner and admins. Throws TEAM_INVITE_NOT_FOUND. */
    async revokeInvite(actor: Actor, id: number, inviteId: number): Promise<void> {
      await db.transaction(async (trx) => {
        const access = await lockTeam(trx, actor, id, 'admin')
        const deleted = await trx('team_invites')
          .where({ ...unusedInvites(id), id: inviteId })
          .delete()
        if (deleted === 0) throw new GatewayError('TEAM_INVITE_NOT_FOUND', { id: inviteId })
        await auditForeign(parts, trx, actor, access, { action: 'team.member', after: { revoked: inviteId } })
      })
    },

    /** Joins a team by an invite code. Returns its id. Throws TEAM_INVITE_INVALID, TEAM_MEMBER_ALREADY, TEAM_FULL. */
    async join(actor: Actor, text: string): Promise<number> {
      const code_hash = secrets.digest(text.trim())
      const id = await db.transaction(async (trx) => {
        const storedInvite = await trx('team_invites').where({ code_hash }).first('team_id')
        if (!storedInvite) throw new GatewayError('TEAM_INVITE_INVALID')
        const teamId = Number(storedInvite.team_id)
        await trx('users').where({ id: teamId, kind: USER_KIND.team }).forUpdate().first('id')
        await requirePerson(trx, actor.id)
        // The UPDATE checks the invite. If two users send the same code at the same time, only one of them joins.
        const [invite] = await trx('team_invites')
          .where({ code_hash, used_by: 0 })
          .where('expires_at', '>', now())
          .update({ used_by: actor.id, used_at: now() })
          .returning('role')
        if (!invite) throw new GatewayError('TEAM_INVITE_INVALID')
        const count = await countRows(trx('team_members').where({ team_id: teamId }))
        if (count >= MEMBERS_MAX) throw new GatewayError('TEAM_FULL', { max: MEMBERS_MAX })
        const member = { team_id: teamId, user_id: actor.id, role: invite.role, joined_at: now() }
        try {
          await trx('team_members').insert(member)
        } catch (cause) {
          if (isUniqueViolation(cause)) throw new GatewayError('TEAM_MEMBER_ALREADY', {}, { cause })
          throw cause
        }
        return teamId
      })
      await follower.catchUp()
      return id
    },
  }
}

const INVITE_COLUMNS = ['id', 'role', 'created_by', 'created_at', 'expires_at', 'used_by', 'used_at'] as const

function toInvite(row: TeamInvite): TeamInvite {
  const { created_at, expires_at, used_at, ...others } = row
  return { ...others, created_at: Number(created_at), expires_at: Number(expires_at), used_at: Number(used_at) }
}

/** Returns a member's role. Throws TEAM_MEMBER_NOT_FOUND. */
async function requireMember(trx: Knex.Transaction, member: { teamId: number; userId: number }): Promise<TeamRole> {
  const role = await roleIn(trx, member)
  if (!role) throw new GatewayError('TEAM_MEMBER_NOT_FOUND', { id: member.userId })
  return role
}

async function requirePerson(trx: Knex.Transaction, id: number): Promise<void> {
  const person = { id, kind: USER_KIND.person, status: USER_STATUS.enabled }
  const user = await trx('users').where(person).whereNull('deleted_at').first('role')
  if (!user || user.role < ROLE.common) throw new GatewayError('USER_NOT_FOUND', { id })
}

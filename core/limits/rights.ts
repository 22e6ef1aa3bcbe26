import type { Knex } from 'knex'
import { type Actor, ROLE } from '../actor.ts'
import { GatewayError } from '../errors.ts'
import { roleIn } from '../teams/access.ts'
import type { TeamRole } from '../teams/team.ts'
import { isAtLeast } from '../teams/team.ts'
import { EACH, type LimitSubject } from './limit.ts'

const TOKENS_MAX = 1000

interface Subject {
  readonly subject: LimitSubject
  readonly subject_id: string
}

/**
 * Throws unless a user may set limits of a subject. Users may set limits of their own keys. Owners and admins of a team
 * may also set limits of its keys and members. Throws TOKEN_NOT_FOUND, TEAM_NOT_FOUND, TEAM_ROLE or PERMISSION_DENIED.
 */
export async function requireOwnSubject(
  trx: Knex.Transaction,
  actor: Actor,
  { subject, subject_id }: Subject,
): Promise<void> {
  if ((subject !== 'token' && subject !== 'member') || subject_id === EACH) throw new GatewayError('PERMISSION_DENIED')
  if (subject === 'token') {
    if (await isOwnToken(trx, actor, Number(subject_id))) return
    throw new GatewayError('TOKEN_NOT_FOUND', { id: subject_id })
  }
  const teamId = Number(subject_id.split('/')[0])
  const role = await roleIn(trx, { teamId, userId: actor.id })
  if (!role) throw new GatewayError('TEAM_NOT_FOUND', { id: teamId })
  // A plain member must not raise the limits of members.
  if (!isAtLeast(role, 'admin')) throw new GatewayError('TEAM_ROLE', { role: 'admin' })
}

async function isOwnToken(trx: Knex.Transaction, actor: Actor, id: number): Promise<boolean> {
  if (!Number.isSafeInteger(id)) return false
  const row = await trx('tokens').where({ id }).whereNull('deleted_at').first('user_id', 'member_id')
  if (!row) return false
  if (row.user_id === actor.id) return true
  if (row.member_id === null) return false
  const role = await roleIn(trx, { teamId: row.user_id, userId: actor.id })
  return role !== undefined && (isAtLeast(role, 'admin') || row.member_id === actor.id)
}

/**
 * Returns whether a user may change an existing limit. Users may change limits that they set for their own keys. Owners
 * and admins of a team may change the limits of its keys and members. A limit that an administrator of the gateway set
 * is excluded, unless this administrator is also an admin of the team.
 */
export async function mayChange(
  trx: Knex.Transaction,
  actor: Actor,
  { subject, subject_id, set_by }: Subject & { set_by: number },
): Promise<boolean> {
  const teamId = await teamOf(trx, { subject, subject_id })
  if (teamId === undefined) return set_by === actor.id
  const ownRole = await roleIn(trx, { teamId, userId: actor.id })
  if (ownRole === undefined || !isAtLeast(ownRole, 'admin')) return subject === 'token' && set_by === actor.id
  const setterRole = await roleIn(trx, { teamId, userId: set_by })
  if (setterRole !== undefined && isAtLeast(setterRole, 'admin')) return true
  // The team must be able to change limits that members or former admins have set.
  const user = await trx('users').where({ id: set_by }).first('role')
  return user !== undefined && user.role < ROLE.admin
}

/** Returns the id of the team of a key or member. Returns undefined for other subjects. */
async function teamOf(trx: Knex.Transaction, { subject, subject_id }: Subject): Promise<number | undefined> {
  if (subject_id === EACH) return undefined
  if (subject === 'member') return Number(subject_id.split('/')[0])
  if (subject !== 'token') return undefined
  const row = await trx('tokens')
    .where({ id: Number(subject_id) })
    .whereNotNull('member_id')
    .first('user_id')
  return row?.user_id
}

/** Returns the subjects whose limits a user may see: their own account and keys, and those of their teams. */
export async function visibleSubjects(db: Knex, actor: Actor): Promise<Partial<Record<LimitSubject, string[]>>> {
  const teams = await db('team_members')
    .where({ user_id: actor.id })
    .select<{ team_id: number; role: TeamRole }[]>('team_id', 'role')
  const managed = teams.filter(({ role }) => isAtLeast(role, 'admin')).map(({ team_id }) => Number(team_id))
  const tokens: number[] = await db('tokens')
    .where((either) => either.whereIn('user_id', [actor.id, ...managed]).orWhere({ member_id: actor.id }))
    .whereNull('deleted_at')
    .orderBy('id', 'desc')
    .limit(TOKENS_MAX)
    .pluck('id')
  const others = await db('team_members').whereIn('team_id', managed).select('team_id', 'user_id')
  const own = teams.map(({ team_id }) => `${team_id}/${actor.id}`)
  const members = new Set([...own, ...others.map(({ team_id, user_id }) => `${team_id}/${user_id}`)])
  return {
    token: tokens.map(String),
    user: [String(actor.id)],
    ...(members.size > 0 && { member: [...members] }),
  }
}

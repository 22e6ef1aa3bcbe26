import type { Knex } from 'knex'
import { type Actor, mayManage, ROLE, USER_KIND, USER_STATUS } from '../actor.ts'
import { GatewayError } from '../errors.ts'
import { isAtLeast, TEAM_ROLES, type TeamRole } from './team.ts'

/** The rights of an actor in a team. */
export interface TeamAccess {
  readonly id: number
  readonly name: string
  /** The role that decides the rights. It is `owner` if `isManager` is true. */
  readonly role: TeamRole
  /** The actor's role as a member. Undefined if the actor is not a member. */
  readonly ownRole: TeamRole | undefined
  /** Whether the actor is an administrator of the gateway who may manage the team's owner (`mayManage`). */
  readonly isManager: boolean
}

/**
 * Returns an actor's rights in a team. Throws TEAM_NOT_FOUND if the team does not exist, or if the actor has no rights
 * in it. Throws TEAM_ROLE if the actor's role is below `least`.
 */
export async function requireAccess(
  connection: Knex,
  actor: Actor,
  id: number,
  least: TeamRole = 'member',
): Promise<TeamAccess> {
  const access = await findAccess(connection, actor, id)
  if (!access) throw new GatewayError('TEAM_NOT_FOUND', { id })
  if (!isAtLeast(access.role, least)) throw new GatewayError('TEAM_ROLE', { role: least })
  return access
}

/** Returns an actor's rights in a team, or undefined if there are none. */
export async function findAccess(connection: Knex, actor: Actor, id: number): Promise<TeamAccess | undefined> {
  const team = await connection('teams').where({ id }).first('name')
  const ownRole = await roleIn(connection, { teamId: id, userId: actor.id })
  const isManager = actor.role >= ROLE.admin && (await managesOwner(connection, actor, id))
  const role = isManager ? 'owner' : ownRole
  return team && role && { id, name: team.name, role, ownRole, isManager }
}

async function managesOwner(connection: Knex, actor: Actor, id: number): Promise<boolean> {
  const owner = await connection('team_members')
    .join('users', 'users.id', 'team_members.user_id')
    .where('team_members.team_id', id)
    .where('team_members.role', 'owner')
    .first('users.id', 'users.role')
  return owner === undefined || mayManage(actor, owner)
}

/**
 * Limits a query to teams that the actor may see. These are the teams in which the actor is a member. Administrators of
 * the gateway also see teams whose owner they may manage, unless `own` is true.
 */
export function whereVisible(
  teams: Knex.QueryBuilder,
  connection: Knex,
  actor: Actor,
  { own }: { own: boolean },
): void {
  const memberships = () => connection('team_members').select('team_id')
  const isMember = (where: Knex.QueryBuilder) =>
    void where.orWhereIn('teams.id', memberships().where({ user_id: actor.id }))
  if (own || actor.role < ROLE.admin) teams.where(isMember)
  else if (actor.role < ROLE.root) {
    const unmanagedTeams = memberships()
      .join('users', 'users.id', 'team_members.user_id')
      .where('team_members.role', 'owner')
      .where('users.role', '>=', actor.role)
    teams.where((either) => void either.modify(isMember).orWhereNotIn('teams.id', unmanagedTeams))
  }
}

/** Like `requireAccess`, but first locks the team's account. All changes of a team take this lock. */
export async function lockTeam(
  trx: Knex.Transaction,
  actor: Actor,
  id: number,
  least: TeamRole = 'member',
): Promise<TeamAccess> {
  await trx('users').where({ id, kind: USER_KIND.team }).forUpdate().first('id')
  return requireAccess(trx, actor, id, least)
}

/** Returns a user's role in a team, or undefined if the user is not a member. */
export async function roleIn(
  connection: Knex,
  { teamId, userId }: { teamId: number; userId: number },
): Promise<TeamRole | undefined> {
  const row = await connection('team_members').where({ team_id: teamId, user_id: userId }).first('role')
  return TEAM_ROLES.find((role) => role === row?.role)
}

/**
 * Returns a query of the users who get a notice of a team: its owner, its admins, and the member whose key the notice
 * concerns. Disabled and deleted users are excluded. If `teamId` is the id of a person, the query has no rows.
 */
export function noticeRecipients(
  connection: Knex,
  { teamId, memberId }: { teamId: number; memberId?: number | undefined },
): Knex.QueryBuilder {
  return connection('team_members')
    .join('users', 'users.id', 'team_members.user_id')
    .where('team_members.team_id', teamId)
    .where('users.status', USER_STATUS.enabled)
    .whereNull('users.deleted_at')
    .where((either) => {
      either.whereIn('team_members.role', ['owner', 'admin'])
      if (memberId !== undefined) either.orWhere('team_members.user_id', memberId)
    })
    .select('team_members.user_id')
}

/** Returns an actor for the team's account, with the role of a common user, so that it sees only the team's rows. */
export function asTeam({ id }: Pick<TeamAccess, 'id'>): Actor {
  return { id, role: ROLE.common }
}

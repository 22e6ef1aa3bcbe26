import type { Knex } from 'knex'
import { type Actor, mayManage, USER_KIND } from '../actor.ts'
import { ID_MAX } from '../input.ts'
import { findAccess } from '../teams/access.ts'
import { isAtLeast, type TeamRole } from '../teams/team.ts'

/**
 * The rights to the thresholds of an account. `own`: the account is the actor's, or a team of which the actor is owner
 * or admin. `foreign`: the actor manages the account as an administrator of the gateway. `own-keys`: the account is a
 * team of which the actor is only a member.
 */
type ThresholdRights = 'own' | 'foreign' | 'own-keys'

/** The accounts whose thresholds an actor may read. */
interface ReadableAccounts {
  /** Accounts of which the actor may read all thresholds, including those of their keys. */
  readonly whole: readonly number[]
  /** Teams in which the actor may read only the thresholds of the actor's keys. */
  readonly ownKeys: readonly number[]
}

/** Returns the rights of an actor to the thresholds of an account, or undefined if there are none. */
export async function thresholdRights(
  connection: Knex,
  actor: Actor,
  userId: number,
): Promise<ThresholdRights | undefined> {
  if (userId === actor.id) return 'own'
  const user = userId <= ID_MAX && (await connection('users').where({ id: userId }).first('id', 'role', 'kind'))
  if (!user) return undefined
  if (user.kind !== USER_KIND.team) return mayManage(actor, user) ? 'foreign' : undefined
  const access = await findAccess(connection, actor, userId)
  if (!access) return undefined
  if (!isAtLeast(access.role, 'admin')) return 'own-keys'
  return access.ownRole === undefined ? 'foreign' : 'own'
}

/**
 * Returns the accounts to include in a list of the thresholds of `userId`. A list of the actor's own account includes
 * the actor's teams. Returns undefined if the actor has no rights.
 */
export async function readableAccounts(
  connection: Knex,
  actor: Actor,
  userId: number,
): Promise<ReadableAccounts | undefined> {
  if (userId !== actor.id) {
    const rights = await thresholdRights(connection, actor, userId)
    return rights && (rights === 'own-keys' ? { whole: [], ownKeys: [userId] } : { whole: [userId], ownKeys: [] })
  }
  const teams: { team_id: number; role: TeamRole }[] = await connection('team_members')
    .where({ user_id: actor.id })
    .select('team_id', 'role')
  const managed = teams.filter(({ role }) => isAtLeast(role, 'admin')).map(({ team_id }) => team_id)
  return { whole: [actor.id, ...managed], ownKeys: teams.map(({ team_id }) => team_id) }
}

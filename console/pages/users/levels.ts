import { isRoot, ROLE } from '../../access.ts'
import { USER_STATUS, type User, type UserAction } from '../../api/users.ts'
import type { SessionUser } from '../../session.ts'

type Subject = Pick<User, 'id' | 'role' | 'status' | 'DeletedAt'>

/** Whether the actor may change this user: users of lower roles, and root also itself. */
export function mayManage(me: SessionUser | undefined, user: Subject): boolean {
  if (me === undefined || user.DeletedAt !== null) return false
  return me.role > user.role || (me.id === user.id && isRoot(me))
}

/** Returns the actions that the actor may perform on this user. The server enforces the same rules. */
export function actionsFor(me: SessionUser | undefined, user: Subject): UserAction[] {
  if (!mayManage(me, user)) return []
  const root = user.role >= ROLE.root
  return [
    ...(user.status !== USER_STATUS.enabled ? (['enable'] as const) : root ? [] : (['disable'] as const)),
    ...(isRoot(me) && user.role < ROLE.admin ? (['promote'] as const) : []),
    ...(user.role >= ROLE.admin && !root ? (['demote'] as const) : []),
    ...(root ? [] : (['delete'] as const)),
  ]
}

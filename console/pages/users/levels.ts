import { isRoot, ROLE } from '../../access.ts'
import { USER_STATUS, type User, type UserAction } from '../../api/users.ts'
import type { SessionUser } from '../../session.ts'

type Subject = Pick<User, 'id' | 'role' | 'status' | 'DeletedAt'>

/** Whether that person may change this user at all: those below, and root also the own row. */
export function mayManage(me: SessionUser | undefined, user: Subject): boolean {
  if (me === undefined || user.DeletedAt !== null) return false
  return me.role > user.role || (me.id === user.id && isRoot(me))
}

/** What that person may do to this user by one word. The server has the same rules, and the last say. */
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

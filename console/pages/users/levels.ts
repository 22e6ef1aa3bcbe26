import { isRoot, ROLE } from '../../access.ts'
import { USER_STATUS, type User, type UserAction } from '../../api/users.ts'
import type { SessionUser } from '../../session.ts'

type Subject = Pick<User, 'id' | 'role' | 'status' | 'DeletedAt'>

/** Whether the signed-in user may change `user`. Users may change users of lower roles; root may also change itself. */
export function mayManage(me: SessionUser | undefined, user: Subject): boolean {
  if (me === undefined || user.DeletedAt !== null) return false
  return me.role > user.role || (me.id === user.id && isRoot(me))
}

/** Returns the actions that the signed-in user may perform on `user`. The server enforces the same rules. */
export function actionsFor(me: SessionUser | undefined, user: Subject): UserAction[] {
  if (!mayManage(me, user)) return []
  const isTargetRoot = user.role >= ROLE.root
  return [
    ...(user.status !== USER_STATUS.enabled ? (['enable'] as const) : isTargetRoot ? [] : (['disable'] as const)),
    ...(isRoot(me) && user.role < ROLE.admin ? (['promote'] as const) : []),
    ...(user.role >= ROLE.admin && !isTargetRoot ? (['demote'] as const) : []),
    ...(isTargetRoot ? [] : (['delete'] as const)),
  ]
}

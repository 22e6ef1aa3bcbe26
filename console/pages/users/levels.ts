import { isRoot, ROLE } from '../../access.ts'
import { USER_STATUS, type User, type UserAction } from '../../api/users.ts'
import type { SessionUser } from '../../session.ts'

type Subject = Pick<User, 'id' | 'role' | 'status' | 'DeletedAt'>

/** Returns whether the signed-in user may change `user`. Users may change lower roles; root may also change itself. */
export function mayManage(me: SessionUser | undefined, user: Subject): boolean {
  if (me === undefined || user.DeletedAt !== null) return false
  return me.role > user.role || (me.id === user.id && isRoot(me))
}

/** Returns the actions that the signed-in user may perform on `user`. The server enforces the same rules. */
export function actionsFor(me: SessionUser | undefined, user: Subject): UserAction[] {
  if (!mayManage(me, user)) return []
  const isTargetRoot = user.role >= ROLE.root
  const isEnabled = user.status === USER_STATUS.enabled
  const isAllowed: Record<UserAction, boolean> = {
    enable: !isEnabled,
    disable: isEnabled && !isTargetRoot,
    promote: isRoot(me) && user.role < ROLE.admin,
    demote: user.role >= ROLE.admin && !isTargetRoot,
    delete: !isTargetRoot,
  }
  return (Object.keys(isAllowed) as UserAction[]).filter((action) => isAllowed[action])
}

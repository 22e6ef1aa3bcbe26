import { type Actor, mayManage, ROLE, USER_STATUS } from '../actor.ts'
import { GatewayError } from '../errors.ts'

/** Actions of administrators on a user. */
export const ACTIONS = ['enable', 'disable', 'delete', 'promote', 'demote'] as const
export type Action = (typeof ACTIONS)[number]

/** Fields that an action changes. `deleted` only marks the row as deleted. */
interface ActionOutcome {
  role?: number
  status?: number
  deleted?: true
}

/** Throws LEVEL_DELETE if the actor may not permanently delete a user with this role. */
export function checkDeletable(actor: Actor, { role }: { role: number }): void {
  if (role >= actor.role) throw new GatewayError('LEVEL_DELETE')
}

/**
 * Returns the fields of the target that an action changes. Throws LEVEL_UPDATE, ROOT_DISABLE, ROOT_DELETE, ROOT_DEMOTE,
 * PROMOTE_FORBIDDEN, ALREADY_ADMIN, ALREADY_COMMON.
 */
export function actionOutcomeOf(actor: Actor, target: { id: number; role: number }, action: Action): ActionOutcome {
  if (!mayManage(actor, target)) throw new GatewayError('LEVEL_UPDATE')
  const isRoot = target.role >= ROLE.root
  switch (action) {
    case 'enable':
      return { status: USER_STATUS.enabled }
    case 'disable':
      if (isRoot) throw new GatewayError('ROOT_DISABLE')
      return { status: USER_STATUS.disabled }
    case 'delete':
      if (isRoot) throw new GatewayError('ROOT_DELETE')
      return { deleted: true }
    case 'promote':
      if (actor.role < ROLE.root) throw new GatewayError('PROMOTE_FORBIDDEN')
      if (target.role >= ROLE.admin) throw new GatewayError('ALREADY_ADMIN')
      return { role: ROLE.admin }
    case 'demote':
      if (isRoot) throw new GatewayError('ROOT_DEMOTE')
      if (target.role <= ROLE.common) throw new GatewayError('ALREADY_COMMON')
      return { role: ROLE.common }
  }
}

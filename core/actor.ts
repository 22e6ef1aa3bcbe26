import { GatewayError } from './errors.ts'

export const ROLE = { common: 1, admin: 10, root: 100 } as const
export const USER_STATUS = { enabled: 1, disabled: 2 } as const

/** Who does something: every operation of the Toolkit takes one first. */
export interface Actor {
  id: number
  role: number
  /** Where the call comes from, for the audit. */
  origin?: Origin
  /** The management key that the call is made with, whose limits count. */
  keyId?: number
}

/** Where an action comes from. */
export interface Origin {
  /** The caller's IP address, or TERMINAL. */
  address: string
  /** At a terminal: the operating-system user. */
  osUser?: string
}

/** The address of operators who work on the database itself. */
export const TERMINAL = 'terminal'

/** The gateway itself: its jobs. With an origin, an operator at the machine's own terminal before a root user exists. */
export const GATEWAY: Actor = { id: 0, role: ROLE.root }

/** Whether the gateway acts by itself, so that there is no person to name. */
export function isGateway({ id, origin }: Actor): boolean {
  return id === GATEWAY.id && origin === undefined
}

/** Throws PERMISSION_DENIED when the actor's role is below `role`. */
export function requireRole(actor: Actor, role: number): void {
  if (actor.role < role) throw new GatewayError('PERMISSION_DENIED')
}

/** Whether the actor may read or change that user: only users of a lower level, and oneself. */
export function mayManage(actor: Actor, target: { id: number; role: number }): boolean {
  return actor.role > target.role || (actor.id === target.id && actor.role >= ROLE.root)
}

/** Whether the actor may create a user of that role: never at or above the own level. */
export function mayCreate(actor: Actor, role: number): boolean {
  return actor.role > role
}

/** The same person with the sight of a common user: the own rows alone, whatever the role. */
export function asCommonUser({ id }: Actor): Actor {
  return { id, role: ROLE.common }
}

import { GatewayError } from './errors.ts'

export const ROLE = { common: 1, admin: 10, root: 100 } as const
export const USER_STATUS = { enabled: 1, disabled: 2 } as const
/** The kind of a row of `users`: a person, or the account that holds a team's balance. */
export const USER_KIND = { person: 0, team: 1 } as const

/** The acting user. Operations of the Toolkit take the actor as their first parameter. */
export interface Actor {
  id: number
  role: number
  /** The source of the call, for the audit. */
  origin?: Origin
  /** Id of the call's management key. The limits of this key apply to the call. */
  keyId?: number
}

export interface Origin {
  /** The caller's IP address, or TERMINAL. */
  address: string
  /** The operating-system user, if the caller is at a terminal. */
  osUser?: string
}

/** The `address` of an operator who works directly on the database. */
export const TERMINAL = 'terminal'

/** The actor of the gateway's own jobs. With an `origin`, the actor is an operator before a root user exists. */
export const GATEWAY: Actor = { id: 0, role: ROLE.root }

/** Returns whether the gateway itself acts, without a person. */
export function isGateway({ id, origin }: Actor): boolean {
  return id === GATEWAY.id && origin === undefined
}

/** Throws PERMISSION_DENIED if the actor's role is below `role`. */
export function requireRole(actor: Actor, role: number): void {
  if (actor.role < role) throw new GatewayError('PERMISSION_DENIED')
}

/** Returns whether the actor may read or change a user, who must have a lower role. Root may also manage itself. */
export function mayManage(actor: Actor, target: { id: number; role: number }): boolean {
  return actor.role > target.role || (actor.id === target.id && actor.role >= ROLE.root)
}

/** Returns whether the actor may create a user with `role`. This role must be below the actor's role. */
export function mayCreate(actor: Actor, role: number): boolean {
  return actor.role > role
}

/** Returns the actor with the role of a common user, so that operations return only the actor's own rows. */
export function asCommonUser({ id }: Actor): Actor {
  return { id, role: ROLE.common }
}

import type { SessionUser } from './session.ts'

export const ROLE = { common: 1, admin: 10, root: 100 } as const

/**
 * The role that a screen requires; higher roles may also open the screen. The console only hides screens: the server
 * checks permissions itself.
 */
export type ScreenAccess = 'anyone' | 'user' | 'admin' | 'root'
const ROLE_OF: Record<Exclude<ScreenAccess, 'anyone'>, number> = {
  user: ROLE.common,
  admin: ROLE.admin,
  root: ROLE.root,
}

export function mayOpen(user: SessionUser | undefined, access: ScreenAccess): boolean {
  return access === 'anyone' || (user !== undefined && user.role >= ROLE_OF[access])
}

export const isAdmin = (user: SessionUser | undefined): boolean => mayOpen(user, 'admin')
export const isRoot = (user: SessionUser | undefined): boolean => mayOpen(user, 'root')

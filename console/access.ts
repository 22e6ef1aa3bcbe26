import type { SessionUser } from './session.ts'

export const ROLE = { common: 1, admin: 10, root: 100 } as const

/**
 * The role that a screen requires; higher roles may also open the screen. The console only hides screens, because the
 * server checks permissions itself.
 */
export type ScreenAccess = 'anyone' | 'user' | 'admin' | 'root'
const ROLE_MIN: Record<ScreenAccess, number> = { anyone: 0, user: ROLE.common, admin: ROLE.admin, root: ROLE.root }

export const mayOpen = (user: SessionUser | undefined, access: ScreenAccess): boolean =>
  (user?.role ?? 0) >= ROLE_MIN[access]

export const isAdmin = (user: SessionUser | undefined): boolean => mayOpen(user, 'admin')
export const isRoot = (user: SessionUser | undefined): boolean => mayOpen(user, 'root')

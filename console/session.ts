import { readStored, writeStored } from './storage.ts'
import { createStore } from './store.ts'

/** Who is signed in, as the server answered at login. The session itself is a cookie that scripts cannot read. */
export interface SessionUser {
  id: number
  username: string
  display_name: string
  role: number
  status: number
  group: string
}

interface Session {
  user?: SessionUser
  /** The server has ended the session; the login page says so. */
  expired: boolean
}

export const session = createStore<Session>(storedSession())

export function startSession(user: SessionUser): void {
  writeStored('user', user)
  session.set({ user, expired: false })
}

export function endSession({ expired }: { expired: boolean }): void {
  writeStored('user', undefined)
  session.set({ expired })
}

/** A login or logout in another tab changes the cookie for this one as well. */
export function followOtherTabs(): void {
  window.addEventListener('storage', ({ key }) => {
    if (key === 'user' || key === null) session.set(storedSession())
  })
}

function storedSession(): Session {
  const user = readStored('user', isSessionUser)
  return user ? { user, expired: false } : { expired: false }
}

function isSessionUser(value: unknown): value is SessionUser {
  if (typeof value !== 'object' || value === null) return false
  return 'id' in value && Number.isInteger(value.id) && 'username' in value && typeof value.username === 'string'
}

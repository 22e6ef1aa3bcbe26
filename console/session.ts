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
  const stored = storedSession()
  // Another tab has signed in as somebody else, and this one has not heard of it: what has ended is no session any more.
  if (expired && stored.user && stored.user.id !== session.get().user?.id) {
    session.set(stored)
    return
  }
  writeStored('user', undefined)
  session.set({ expired })
  // Who is only asked to sign in again finds the conversation as it was; who leaves, leaves nothing behind.
  if (!expired) {
    writeStored('playground', undefined)
    writeStored('playground-draft', undefined)
  }
}

/** A login or logout in another tab changes the cookie for this one as well. */
export function followOtherTabs(): void {
  window.addEventListener('storage', ({ key }) => {
    if (key === 'user' || key === null) session.set(storedSession())
  })
}

function storedSession(): Session {
  const user = readStored('user', isSessionUser)
  return { ...(user && { user }), expired: false }
}

function isSessionUser(value: unknown): value is SessionUser {
  if (typeof value !== 'object' || value === null) return false
  if (!('id' in value && 'username' in value && 'role' in value)) return false
  return Number.isInteger(value.id) && typeof value.username === 'string' && Number.isInteger(value.role)
}

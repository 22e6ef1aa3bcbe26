import { readStored, writeStored } from './storage.ts'
import { createStore } from './store.ts'

/** The signed-in user, from the login reply. The session itself is a cookie that scripts cannot read. */
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
  /** The server has ended the session; the login page reports it. */
  expired: boolean
}

export const session = createStore<Session>(storedSession())

export function startSession(user: SessionUser): void {
  writeStored('user', user)
  session.set({ user, expired: false })
}

export function endSession({ expired }: { expired: boolean }): void {
  const stored = storedSession()
  // Another tab has signed in as another user unnoticed here: the session that ended is no longer current.
  if (expired && stored.user && stored.user.id !== session.get().user?.id) {
    session.set(stored)
    return
  }
  writeStored('user', undefined)
  session.set({ expired })
  // An expired session keeps the conversation for the next sign-in; sign-out removes it.
  if (!expired) {
    writeStored('playground', undefined)
    writeStored('playground-draft', undefined)
    writeStored('playground-prompts', undefined)
  }
}

/** A sign-in or sign-out in another tab changes this tab's cookie as well. */
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

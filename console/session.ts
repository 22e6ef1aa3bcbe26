import { isRecord } from './records.ts'
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
  /** True if the server has ended the session. The login page reports this. */
  expired: boolean
}

export const session = createStore<Session>(storedSession())

export function startSession(user: SessionUser): void {
  writeStored('user', user)
  session.set({ user, expired: false })
}

export function endSession({ expired }: { expired: boolean }): void {
  const storedState = storedSession()
  // Another user has signed in with another tab, and this tab has not noticed. The new session has not ended.
  if (expired && storedState.user && storedState.user.id !== session.get().user?.id) {
    session.set(storedState)
    return
  }
  writeStored('user', undefined)
  session.set({ expired })
  // Sign-out removes the playground's conversation. After an expired session, the conversation remains for the next
  // sign-in.
  if (!expired) {
    writeStored('playground', undefined)
    writeStored('playground-draft', undefined)
    writeStored('playground-prompts', undefined)
  }
}

/** Follows sign-ins and sign-outs in other tabs, because all tabs share the session cookie. */
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
  if (!isRecord(value)) return false
  return Number.isInteger(value.id) && typeof value.username === 'string' && Number.isInteger(value.role)
}

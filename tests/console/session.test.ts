import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { endSession, type SessionUser, session, startSession } from '../../console/session.ts'

const person = (id: number): SessionUser => ({
  id,
  username: `user-${id}`,
  display_name: '',
  role: 1,
  status: 1,
  group: 'default',
})

const kept = new Map<string, string>()

beforeEach(() => {
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, text: string) => void kept.set(key, text),
    removeItem: (key: string) => void kept.delete(key),
  })
})

afterEach(() => {
  endSession({ expired: false })
  kept.clear()
  vi.unstubAllGlobals()
})

test('an ended session is removed, in other tabs as well', () => {
  startSession(person(1))

  endSession({ expired: true })

  expect(session.get()).toEqual({ expired: true })
  expect(kept.has('user')).toBe(false)
})

test('the end of a session keeps a session started by another tab', () => {
  startSession(person(1))
  kept.set('user', JSON.stringify(person(2)))

  endSession({ expired: true })

  expect(session.get()).toEqual({ user: person(2), expired: false })
  expect(kept.has('user')).toBe(true)
})

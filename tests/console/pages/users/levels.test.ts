import { describe, expect, test } from 'vitest'
import { actionsFor, mayManage } from '../../../../console/pages/users/levels.ts'

const person = (id: number, role: number) => ({
  id,
  role,
  username: 'ann',
  display_name: '',
  status: 1,
  group: 'default',
})
const subject = (role: number, changes: { id?: number; status?: number; DeletedAt?: string } = {}) => ({
  id: 9,
  role,
  status: 1,
  DeletedAt: null,
  ...changes,
})
const ROOT = person(1, 100)
const ADMIN = person(2, 10)

describe('actions offered for a user', () => {
  test.each([
    ['a common user, to root', ROOT, subject(1), ['disable', 'promote', 'delete']],
    ['a common user, to an administrator: no promotion', ADMIN, subject(1), ['disable', 'delete']],
    ['a banned user', ADMIN, subject(1, { status: 2 }), ['enable', 'delete']],
    ['an administrator, to root', ROOT, subject(10), ['disable', 'demote', 'delete']],
    ['an administrator, to another: nothing', ADMIN, subject(10), []],
    ['root, to root: to be edited alone', ROOT, subject(100, { id: 1 }), []],
    ['a deleted user: nothing', ROOT, subject(1, { DeletedAt: '2026-01-01' }), []],
  ] as const)('%s', (_, me, user, actions) => {
    expect(actionsFor(me, user)).toEqual(actions)
  })

  test('root may edit its own row, an administrator not', () => {
    expect(mayManage(ROOT, subject(100, { id: 1 }))).toBe(true)
    expect(mayManage(ADMIN, subject(10, { id: 2 }))).toBe(false)
    expect(mayManage(undefined, subject(1))).toBe(false)
  })
})

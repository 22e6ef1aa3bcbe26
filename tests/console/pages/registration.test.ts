import type { TFunction } from 'i18next'
import { expect, test } from 'vitest'
import { findProblem } from '../../../console/pages/registration.ts'

const t = ((key: string) => key) as unknown as TFunction

const problemOf = (username: string, password: string) =>
  findProblem({ username, password, password2: password }, { byEmail: false, passwordMax: 20, t })?.text

test('lengths count characters, as the server does', () => {
  expect(problemOf('𠮷'.repeat(12), '🔑'.repeat(20))).toBeUndefined()
  expect(problemOf('𠮷'.repeat(13), '🔑'.repeat(20))).toBe('account.usernameLong')
  expect(problemOf('ann', '🔑'.repeat(7))).toBe('account.passwordShort')
  expect(problemOf('ann', '🔑'.repeat(21))).toBe('account.passwordLong')
})

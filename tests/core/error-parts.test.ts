import { expect, test } from 'vitest'
import { errorCode, errorMessage, errorProperty } from '../../core/error-parts.ts'

const failed = Object.assign(new Error('no'), { code: '23505', constraint: 'users_email_once', responseCode: 550 })

test('the parts of an error are read without a cast', () => {
  expect([errorCode(failed), errorMessage(failed)]).toEqual(['23505', 'no'])
  expect([errorProperty(failed, 'constraint'), errorProperty(failed, 'responseCode')]).toEqual([
    'users_email_once',
    550,
  ])
  expect(errorProperty(failed, 'syscall')).toBeUndefined()
})

test.each([undefined, null, 'text', 7])('a thrown %s has no parts', (thrown) => {
  expect([errorCode(thrown), errorProperty(thrown, 'length')]).toEqual(['', undefined])
  expect(errorMessage(thrown)).toBe(String(thrown))
})

test('a code that is no text is none', () => {
  expect(errorCode({ code: 7 })).toBe('')
})

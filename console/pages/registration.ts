import type { TFunction } from 'i18next'
import type { FieldProblem, FormValues } from '../components/sign-in/account-form.ts'

const USERNAME_MAX = 12
const PASSWORD_MIN = 8

/** Returns the first problem for which the server would reject the input; undefined if there is none. */
export function findProblem(
  { username = '', password = '', password2, email, verification_code }: FormValues,
  { byEmail, passwordMax, t }: { byEmail: boolean; passwordMax: number; t: TFunction },
): FieldProblem | undefined {
  if (!username) return { field: 'username', text: t('login.incomplete') }
  if (!password) return { field: 'password', text: t('login.incomplete') }
  if (countCharacters(username) > USERNAME_MAX) return { field: 'username', text: t('account.usernameLong') }
  if (countCharacters(password) < PASSWORD_MIN) return { field: 'password', text: t('account.passwordShort') }
  if (countCharacters(password) > passwordMax) {
    return { field: 'password', text: t('account.passwordLong', { max: passwordMax }) }
  }
  if (password2 !== password) return { field: 'password2', text: t('account.passwordsDiffer') }
  if (byEmail && !email) return { field: 'email', text: t('account.emailMissing') }
  if (byEmail && !verification_code) return { field: 'verification_code', text: t('account.codeMissing') }
  return undefined
}

/** Counts characters as the server does. An emoji or a rare Chinese character counts once, not as two UTF-16 units. */
const countCharacters = (text: string): number => [...text].length

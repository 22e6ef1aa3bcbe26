import type { TFunction } from 'i18next'
import { useStatus } from '../../api/status.ts'

/** Until the server says so; one of an older version does not. */
const LENGTH_MAX = 20

/** The most characters that a new password may have. */
export function usePasswordMax(): number {
  const { data: status } = useStatus()
  return status?.password_length_max ?? LENGTH_MAX
}

/** What is said of a password that is typed, if one is. */
export const passwordRules = (t: TFunction, max: number) => [
  { minLength: 8, message: t('user.passwordShort') },
  { maxLength: max, message: t('user.passwordLong', { max }) },
]

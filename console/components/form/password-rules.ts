import type { TFunction } from 'i18next'
import { useStatus } from '../../api/status.ts'

/** Maximum length if an older server does not send the limit. */
const LENGTH_MAX = 20

/** Returns the maximum length of a new password in characters. */
export function usePasswordMax(): number {
  const { data: status } = useStatus()
  return status?.password_length_max ?? LENGTH_MAX
}

/** Form rules for a new password. An empty field is valid. */
export const passwordRules = (t: TFunction, max: number) => [
  { minLength: 8, message: t('account.passwordShort') },
  { maxLength: max, message: t('user.passwordLong', { max }) },
]

import type { TFunction } from 'i18next'
import { useStatus } from '../../api/status.ts'

/** Default if the server is older and does not send the limit. */
const LENGTH_MAX = 20

/** Returns the maximum length of a new password. */
export function usePasswordMax(): number {
  const { data: status } = useStatus()
  return status?.password_length_max ?? LENGTH_MAX
}

/** Form rules for a new password; empty is allowed. */
export const passwordRules = (t: TFunction, max: number) => [
  { minLength: 8, message: t('user.passwordShort') },
  { maxLength: max, message: t('user.passwordLong', { max }) },
]

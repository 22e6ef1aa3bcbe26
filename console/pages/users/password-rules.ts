import type { TFunction } from 'i18next'

/** What is said of a password that is typed, if one is. */
export const passwordRules = (t: TFunction) => [
  { minLength: 8, message: t('user.passwordShort') },
  { maxLength: 20, message: t('user.passwordLong') },
]

import type { Language } from '../messages/language.ts'

/** The language of mails to a user, by the column `language`. Empty: Chinese, the default of the management API. */
export function mailLanguage(stored: string): Language {
  return stored === 'en' ? 'en' : 'zh'
}

import type { Language } from '../messages/language.ts'

/** Returns the language of mails to a user from the column `language`. Empty means Chinese, the API's default. */
export function mailLanguage(stored: string): Language {
  return stored === 'en' ? 'en' : 'zh'
}

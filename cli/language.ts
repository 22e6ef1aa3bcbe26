import { chooseLanguage, type Language } from '../core/messages/language.ts'
import type { Environment } from './io.ts'

/** Returns the language of messages by the locale. */
export function language(environment: Environment): Language {
  return chooseLanguage(environment.LC_ALL || environment.LC_MESSAGES || environment.LANG, 'en')
}

/** Returns the language of --language, else that of the locale. */
export function chosenLanguage(words: readonly string[], environment: Environment): Language {
  const at = words.indexOf('--language')
  const flagValue =
    at < 0 ? words.find((word) => word.startsWith('--language='))?.slice('--language='.length) : words[at + 1]
  return flagValue === 'zh' || flagValue === 'en' ? flagValue : language(environment)
}

import { chooseLanguage, type Language } from '../core/messages/language.ts'
import type { Environment } from './io.ts'

/** Language of messages, from the locale. */
export function language(environment: Environment): Language {
  return chooseLanguage(environment.LC_ALL || environment.LC_MESSAGES || environment.LANG, 'en')
}

/** Language from --language, else from the locale. */
export function chosenLanguage(words: readonly string[], environment: Environment): Language {
  const at = words.indexOf('--language')
  const named =
    at < 0 ? words.find((word) => word.startsWith('--language='))?.slice('--language='.length) : words[at + 1]
  return named === 'zh' || named === 'en' ? named : language(environment)
}

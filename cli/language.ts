import { chooseLanguage, type Language } from '../core/messages/language.ts'
import type { Environment } from './io.ts'

/** Returns the language that the locale variables select. */
function language(environment: Environment): Language {
  return chooseLanguage(environment.LC_ALL || environment.LC_MESSAGES || environment.LANG, 'en')
}

/** Returns the value of --language, else the language of the locale. */
export function chosenLanguage(words: readonly string[], environment: Environment): Language {
  const index = words.indexOf('--language')
  const flagValue =
    index < 0 ? words.find((word) => word.startsWith('--language='))?.slice('--language='.length) : words[index + 1]
  return flagValue === 'zh' || flagValue === 'en' ? flagValue : language(environment)
}

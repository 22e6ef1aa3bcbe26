import { en } from './en.ts'
import type { Language } from './language.ts'
import { createTranslate, type IdIn, type MessageValues } from './translate.ts'
import { zh } from './zh.ts'

export type CoreTexts = typeof en
export type CoreTextId = IdIn<CoreTexts>

/** Returns a text of an error, reason, log row, notice or mail in one language. */
export const textIn: (language: Language, id: CoreTextId, values?: MessageValues) => string = createTranslate({
  en,
  zh,
})

/** Returns a text in both languages. */
export function inBoth(id: CoreTextId, values?: MessageValues): Record<Language, string> {
  return { en: textIn('en', id, values), zh: textIn('zh', id, values) }
}

/** Returns an error parameter with variants for both languages. Logs contain the English text. */
export function asParams(
  name: string,
  { en: english, zh: chinese }: Readonly<Record<Language, string>>,
): Record<string, string> {
  return { [name]: english, [`${name}_en`]: english, [`${name}_zh`]: chinese }
}

import { chooseLanguage, type Language } from '../core/messages/language.ts'
import { createTranslate, type IdIn, type WithoutOne } from '../core/messages/translate.ts'
import type { Environment } from './io.ts'
import * as en from './texts/en.ts'

/**
 * Texts of one language by area and id. `{{name}}` in a text is replaced by the value of that name. An English label
 * equals its value, and an English title equals the name of its column, unless the areas `label` and `column` differ.
 */
type Resources = typeof en
export type TextId = IdIn<Resources>

/** Values of a text, by name. A value that is a `TextRef` is translated too. */
export type TextValues = Readonly<Record<string, string | number | undefined | TextRef>>

/** A text that is translated where it is displayed. */
export interface TextRef {
  readonly id: TextId
  readonly values?: TextValues
}

export interface Texts {
  readonly language: Language
  /** Returns the text of an id, with its values. */
  t(id: TextId, values?: TextValues): string
  /** Returns the text of a reference. Returns a string unchanged. */
  textOf(text: string | TextRef): string
  /** Returns the name of an API value such as `auto-disabled`; the value itself if the value has no name. */
  label(value: string): string
  /** Returns the title of a column; the column's name with spaces if the column has no title. */
  title(column: string): string
}

/** Returns the language that --language selects, else the language of the locale variables. */
export function chosenLanguage(words: readonly string[], env: Environment): Language {
  const index = words.indexOf('--language')
  const flagValue =
    index < 0 ? words.find((word) => word.startsWith('--language='))?.slice('--language='.length) : words[index + 1]
  if (flagValue === 'zh' || flagValue === 'en') return flagValue
  return chooseLanguage(env.LC_ALL || env.LC_MESSAGES || env.LANG, 'en')
}

/** Returns the texts of a language. Loads the Chinese texts only when they are needed. */
export async function loadTexts(language: Language): Promise<Texts> {
  if (language === 'en') return ENGLISH
  const zh: WithoutOne<Resources> = await import('./texts/zh.ts')
  return createTexts(language, zh)
}

function createTexts(language: Language, resources: WithoutOne<Resources>): Texts {
  const translate = createTranslate({ [language]: resources })
  const t = (id: TextId, values?: TextValues): string => {
    const texts = Object.entries(values ?? {}).map(([name, value]) => [
      name,
      typeof value === 'object' ? textOf(value) : value,
    ])
    return translate(language, id, Object.fromEntries(texts))
  }
  const textOf = (text: string | TextRef) => (typeof text === 'string' ? text : t(text.id, text.values))
  return {
    language,
    t,
    textOf,
    label: (value) => textIn(resources.label, value) ?? value,
    title: (column) => textIn(resources.column, column) ?? column.replaceAll('-', ' '),
  }
}

function textIn(texts: Readonly<Record<string, string>>, key: string): string | undefined {
  return Object.hasOwn(texts, key) ? texts[key] : undefined
}

/** English texts, for output that must not depend on the user's language, such as files and documents. */
export const ENGLISH: Texts = createTexts('en', en)

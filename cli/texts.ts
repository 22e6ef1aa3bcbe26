import { createInstance, type TOptions } from 'i18next'
import type { Language } from '../core/messages/language.ts'
import { en } from './texts/en.ts'

/** Texts of one language by area and id; `{{name}}` stands for a value. */
export type Resources = typeof en
type Unnumbered<Key> = Key extends `${infer Text}_${'one' | 'other'}` ? Text : Key
/** `token.created`; a text with a form for one and one for others has the same id, and chooses by its value `count`. */
export type TextId = {
  [Area in keyof Resources]: `${Area}.${Unnumbered<keyof Resources[Area] & string>}`
}[keyof Resources]

/** Values of a text, by name; a text among them is translated, too. */
export type Values = Readonly<Record<string, string | number | undefined | TextRef>>

/** A text that is translated where it is displayed. */
export interface TextRef {
  readonly id: TextId
  readonly values?: Values
}

export interface Texts {
  readonly language: Language
  /** The text of an id, with its values. */
  t(id: TextId, values?: Values): string
  /** The text of a reference; a string is returned unchanged. */
  textOf(text: string | TextRef): string
  /** Name of a value of the API, such as `auto-disabled`; without a name the value itself. */
  label(value: string): string
  /** Title of a column by its name; without a title the name itself. */
  title(column: string): string
}

/** Loads Chinese only if it is wanted. */
export async function loadTexts(language: Language): Promise<Texts> {
  if (language === 'en') return ENGLISH
  const { zh } = await import('./texts/zh.ts')
  return createTexts(language, zh)
}

function createTexts(language: Language, resources: Resources): Texts {
  const i18n = createInstance()
  // Synchronous, since the resources are given.
  void i18n.init({
    lng: language,
    resources: { [language]: { translation: resources } },
    initAsync: false,
    nsSeparator: false,
    interpolation: { escapeValue: false },
  })
  // The console declares its own ids for all of i18next.
  const translate = i18n.t as (id: string, options?: TOptions) => string
  const textOf = (text: string | TextRef) => (typeof text === 'string' ? text : t(text.id, text.values))
  const t = (id: TextId, values?: Values): string => {
    if (values === undefined) return translate(id)
    const replace = Object.fromEntries(
      Object.entries(values).map(([name, value]) => [name, typeof value === 'object' ? textOf(value) : String(value)]),
    )
    return translate(id, typeof values.count === 'number' ? { replace, count: values.count } : { replace })
  }
  return {
    language,
    t,
    textOf,
    label: (value) => (Object.hasOwn(resources.label, value) ? translate(`label.${value}`) : value),
    title: (column) => (Object.hasOwn(resources.column, column) ? translate(`column.${column}`) : column),
  }
}

/** For what must not depend on the language, such as files and documents. */
export const ENGLISH: Texts = createTexts('en', en)

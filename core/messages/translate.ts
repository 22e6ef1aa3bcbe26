import { createInstance, type TOptions } from 'i18next'
import type { Language } from './language.ts'

type Areas = Readonly<Record<string, Readonly<Record<string, string>>>>

/** The ids of texts, as `area.key`. Singular and plural of a text have one id. The value `count` selects the form. */
export type IdIn<Texts extends Areas> = {
  [Area in keyof Texts & string]: `${Area}.${Unnumbered<keyof Texts[Area] & string>}`
}[keyof Texts & string]
/** The texts of a language that has no singular forms. */
export type WithoutOne<Texts extends Areas> = {
  readonly [Area in keyof Texts]: {
    readonly [Key in keyof Texts[Area] as Key extends `${string}_one` ? never : Key]: string
  }
}
type Unnumbered<Key> = Key extends `${infer Text}_${'one' | 'other'}` ? Text : Key

/** Values of a text, by name. */
export type MessageValues = Readonly<Record<string, unknown>>

/** Returns a text in which values replace `{{name}}`. A missing value is replaced by an empty text. */
type Translate = (language: Language, id: string, values?: MessageValues) => string

/** Creates a translator of texts by language and area. */
export function createTranslate(texts: Partial<Record<Language, Areas>>): Translate {
  const i18n = createInstance()
  // `init` is synchronous, because the texts are already loaded.
  void i18n.init({
    resources: Object.fromEntries(Object.entries(texts).map(([language, areas]) => [language, { translation: areas }])),
    fallbackLng: false,
    initAsync: false,
    nsSeparator: false,
    interpolation: { escapeValue: false },
    missingInterpolationHandler: () => '',
  })
  // The cast is needed, because the console declares its own ids for all uses of i18next.
  const t = i18n.t as (id: string, options: TOptions) => string
  return (lng, id, values) => {
    const [area = '', ...key] = id.split('.')
    const stored = texts[lng]?.[area]?.[key.join('.')]
    // Return constant texts directly. Most texts are constant, and tables contain thousands of them.
    if (stored !== undefined && !stored.includes('{{')) return stored
    const replace = Object.fromEntries(Object.entries(values ?? {}).map(([name, value]) => [name, String(value ?? '')]))
    // Texts with singular and plural are stored under other keys. i18next finds these only with a count.
    return t(id, { lng, replace, ...(stored === undefined && { count: Number(values?.count) || 0 }) })
  }
}

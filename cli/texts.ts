import type { Language } from '../core/messages/language.ts'

/** Texts are written in English in the code. Catalogues map the English text to a translation, with `{0}`, `{1}` … for values. */
export type Catalogue = Readonly<Record<string, string>>

export interface Texts {
  readonly language: Language
  /** A sentence with values: say`Token ${id} is enabled.` */
  say(strings: TemplateStringsArray, ...values: readonly unknown[]): string
  /** Translates a fixed text, such as a column title; returns it unchanged without a translation. */
  text(english: string): string
  /** Translates a complete English sentence from code that is not localized: Commander, or an argument parser. */
  translated(english: string): string
}

/** Loads a catalogue only if the language needs one. */
export async function loadTexts(language: Language): Promise<Texts> {
  if (language === 'en') return createTexts(language, {})
  const { zh } = await import('./texts/zh.ts')
  return createTexts(language, zh)
}

export function createTexts(language: Language, catalogue: Catalogue): Texts {
  const text = (english: string) => (Object.hasOwn(catalogue, english) ? (catalogue[english] ?? english) : english)
  return {
    language,
    text,
    translated: (english) => retell(english, catalogue),
    say: (strings, ...values) => filled(text(keyOf(strings)), values),
  }
}

/** Catalogue key of a sentence. */
export function keyOf(strings: readonly string[]): string {
  return strings.reduce((key, part, at) => `${key}{${at - 1}}${part}`)
}

/** Finds the catalogue sentence that produced this text and fills its translation with the same values. */
function retell(english: string, catalogue: Catalogue): string {
  const fixed = Object.hasOwn(catalogue, english) ? catalogue[english] : undefined
  if (fixed !== undefined) return fixed
  for (const [key, translation] of Object.entries(catalogue).sort(([a], [b]) => literal(b) - literal(a))) {
    if (!key.includes('{0}') || literal(key) < LITERAL_MIN) continue
    const values = sentence(key).exec(english)?.slice(1)
    // A value with spaces may be a sentence, such as a reason; a single word is a name.
    if (values)
      return filled(
        translation,
        valuesIn(key, values).map((value) => (value.includes(' ') ? retell(value, catalogue) : value)),
      )
  }
  return english
}

/** Keys with fewer literal letters would match any text. */
const LITERAL_MIN = 6
const literal = (key: string) => key.replace(/\{\d+\}|\W/g, '').length

function sentence(key: string): RegExp {
  const parts = key.split(/\{\d+\}/).map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  return new RegExp(`^${parts.join('(.*?)')}$`, 's')
}

/** Sorts values by the numbers of their placeholders. */
function valuesIn(key: string, values: readonly string[]): string[] {
  const ordered: string[] = []
  for (const [at, [, number = '']] of [...key.matchAll(/\{(\d+)\}/g)].entries())
    ordered[Number(number)] = values[at] ?? ''
  return ordered
}

function filled(template: string, values: readonly unknown[]): string {
  return template.replace(/\{(\d+)\}/g, (_, at: string) => String(values[Number(at)]))
}

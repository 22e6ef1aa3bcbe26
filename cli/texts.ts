import type { Language } from '../core/messages/language.ts'

/**
 * Texts for people are written in English where they are used. The catalogue of another language has them under the English
 * text, with `{0}`, `{1}` … where values go.
 */
export type Catalogue = Readonly<Record<string, string>>

export interface Texts {
  readonly language: Language
  /** A sentence with values: say`Token ${id} is enabled.` */
  say(strings: TemplateStringsArray, ...values: readonly unknown[]): string
  /** A fixed text, such as the title of a column. What has no translation stays as it is. */
  text(english: string): string
  /** A sentence that was said in English already, by somebody who does not know the language: Commander, or a parser of arguments. */
  translated(english: string): string
}

/** The catalogue is loaded only for who needs it. */
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

/** What a sentence is called in a catalogue. */
export function keyOf(strings: readonly string[]): string {
  return strings.reduce((key, part, at) => `${key}{${at - 1}}${part}`)
}

/** Finds the sentence that these words were made from, and says it with the same values in the other language. */
function retell(english: string, catalogue: Catalogue): string {
  const fixed = Object.hasOwn(catalogue, english) ? catalogue[english] : undefined
  if (fixed !== undefined) return fixed
  for (const [key, translation] of Object.entries(catalogue).sort(([a], [b]) => literal(b) - literal(a))) {
    if (!key.includes('{0}') || literal(key) < LITERAL_MIN) continue
    const values = sentence(key).exec(english)?.slice(1)
    // A value may be a sentence of its own, such as the reason; a single word is somebody's.
    if (values)
      return filled(
        translation,
        valuesIn(key, values).map((value) => (value.includes(' ') ? retell(value, catalogue) : value)),
      )
  }
  return english
}

/** A key with fewer letters of its own would fit anything. */
const LITERAL_MIN = 6
const literal = (key: string) => key.replace(/\{\d+\}|\W/g, '').length

function sentence(key: string): RegExp {
  const parts = key.split(/\{\d+\}/).map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  return new RegExp(`^${parts.join('(.*?)')}$`, 's')
}

/** In the order of their numbers. */
function valuesIn(key: string, values: readonly string[]): string[] {
  const ordered: string[] = []
  for (const [at, [, number = '']] of [...key.matchAll(/\{(\d+)\}/g)].entries())
    ordered[Number(number)] = values[at] ?? ''
  return ordered
}

function filled(template: string, values: readonly unknown[]): string {
  return template.replace(/\{(\d+)\}/g, (_, at: string) => String(values[Number(at)]))
}

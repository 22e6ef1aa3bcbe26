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
    say: (strings, ...values) =>
      text(keyOf(strings)).replace(/\{(\d+)\}/g, (_, at: string) => String(values[Number(at)])),
  }
}

/** What a sentence is called in a catalogue. */
export function keyOf(strings: readonly string[]): string {
  return strings.reduce((key, part, at) => `${key}{${at - 1}}${part}`)
}

import { usageError } from './errors.ts'
import { nearest } from './nearest.ts'

/*
 * Numbers of the documented API (status, role, type) under the words that people use for them.
 */
type Words = Readonly<Record<string, number>>

/** The word for a number; the number itself when it has none. */
export function wordOf(words: Words, value: number): string {
  const found = Object.entries(words).find(([, number]) => number === value)
  return found ? kebab(found[0]) : String(value)
}

/** The number that a word given for `flag` stands for; the number itself will do. Throws a usage error. */
export function numberOf(words: Words, flag: string, text: string): number {
  const found = Object.entries(words).find(([word, number]) => text === kebab(word) || text === String(number))
  if (found) return found[1]
  const choices = wordsOf(words)
  const meant = nearest(text, choices)
  const refusal = `${flag} must be one of ${choices.join(', ')}, not '${text}'`
  throw usageError(meant ? `${refusal} (Did you mean ${meant}?)` : refusal)
}

/** The words that numberOf takes. */
export function wordsOf(words: Words): string[] {
  return Object.keys(words).map(kebab)
}

/** autoDisabled → auto-disabled */
function kebab(word: string): string {
  return word.replace(/[A-Z]/g, (capital) => `-${capital.toLowerCase()}`)
}

/** The sentence for one thing, or the one for several or none. */
export function counted(count: number, one: string, several: string): string {
  return count === 1 ? one : several
}

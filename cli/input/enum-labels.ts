import { usageError } from '../errors.ts'
import { nearest } from './nearest.ts'

/*
 * Labels for the numbers of the API (status, role, type).
 */
type EnumLabels = Readonly<Record<string, number>>

/** Returns the label of a number, or the number if it has none. */
export function labelOf(words: EnumLabels, value: number): string {
  const match = Object.entries(words).find(([, number]) => number === value)
  return match ? kebab(match[0]) : String(value)
}

/** The number of a label given for `flag`; a number passes unchanged. Throws a usage error. */
export function numberOf(words: EnumLabels, flag: string, text: string): number {
  const match = Object.entries(words).find(([word, number]) => text === kebab(word) || text === String(number))
  if (match) return match[1]
  const choices = labelsOf(words)
  const suggestion = nearest(text, choices)
  const refusal = `${flag} must be one of ${choices.join(', ')}, not '${text}'`
  throw usageError(suggestion ? `${refusal} (Did you mean ${suggestion}?)` : refusal)
}

/** The labels that numberOf accepts. */
export function labelsOf(words: EnumLabels): string[] {
  return Object.keys(words).map(kebab)
}

/** autoDisabled → auto-disabled */
function kebab(word: string): string {
  return word.replace(/[A-Z]/g, (capital) => `-${capital.toLowerCase()}`)
}

/** Returns `one` for a count of 1, else `several`. */
export function counted(count: number, one: string, several: string): string {
  return count === 1 ? one : several
}

import { usageError } from '../errors.ts'
import { nearest } from './nearest.ts'

/*
 * Labels for the numbers of the API (status, role, type).
 */
type EnumLabels = Readonly<Record<string, number>>

/** Returns the label of a number, or the number as text if the number has no label. */
export function labelOf(labels: EnumLabels, value: number): string {
  const match = Object.entries(labels).find(([, number]) => number === value)
  return match ? kebab(match[0]) : String(value)
}

/**
 * Returns the number of a label. `text`, the value of `flag`, is the label or the number. Throws a usage error for
 * other texts.
 */
export function numberOfLabel(labels: EnumLabels, flag: string, text: string): number {
  const match = Object.entries(labels).find(([word, number]) => text === kebab(word) || text === String(number))
  if (match) return match[1]
  const choices = labelsOf(labels)
  const suggestion = nearest(text, choices)
  const values = { flag, choices: choices.join(', '), value: text }
  throw usageError(
    suggestion === undefined
      ? { id: 'program.notAChoice', values }
      : { id: 'program.notAChoiceLike', values: { ...values, suggestion } },
  )
}

/** Returns the labels that `numberOfLabel` accepts. */
export function labelsOf(labels: EnumLabels): string[] {
  return Object.keys(labels).map(kebab)
}

/** Converts `autoDisabled` to `auto-disabled`. */
function kebab(word: string): string {
  return word.replace(/[A-Z]/g, (capital) => `-${capital.toLowerCase()}`)
}

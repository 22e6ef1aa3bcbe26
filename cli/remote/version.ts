import { VERSION } from '../../core/version.ts'

const NUMBERS = 3
/** The third number changes no call. */
const NUMBERS_OF_API = 2

/**
 * Less than 0 for a version before this program's, 0 for the same, more than 0 for a newer one. What is no version is taken
 * for the same.
 */
export function compareToThis(version: string, numbers: number = NUMBERS): number {
  return compareVersions(version, VERSION, numbers)
}

/** Less than 0 if `a` is before `b`, by the first `numbers` numbers of each. What is no version is taken for the same. */
export function compareVersions(a: string, b: string, numbers: number = NUMBERS): number {
  const other = numbersOf(b)
  const steps = numbersOf(a).map((number, index) => number - (other[index] ?? 0))
  return steps.slice(0, numbers).find((step) => step !== 0) ?? 0
}

/** Whether a server of that version may not know what this program asks for. */
export function isOlder(version: string): boolean {
  return compareToThis(version, NUMBERS_OF_API) < 0
}

function numbersOf(version: string): number[] {
  const [, ...numbers] = /^(\d+)\.(\d+)\.(\d+)/.exec(version) ?? []
  return numbers.map(Number)
}

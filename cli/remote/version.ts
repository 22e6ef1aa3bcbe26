import { VERSION } from '../../core/version.ts'

const NUMBERS = 3
/** Number of version parts that matter for the API. Patch releases do not change the API. */
const NUMBERS_OF_API = 2

/** Compares a version with this program's. Negative if `version` is older, positive if newer, 0 if invalid. */
export function compareToThis(version: string, numbers: number = NUMBERS): number {
  return compareVersions(version, VERSION, numbers)
}

/** Compares the first `numbers` parts of two versions. Negative if `a` is older, 0 if `a` is invalid. */
export function compareVersions(a: string, b: string, numbers: number = NUMBERS): number {
  const other = numbersOf(b)
  const differences = numbersOf(a).map((number, index) => number - (other[index] ?? 0))
  return differences.slice(0, numbers).find((difference) => difference !== 0) ?? 0
}

/** Whether a server of that version may lack calls of this program. */
export function isOlder(version: string): boolean {
  return compareToThis(version, NUMBERS_OF_API) < 0
}

function numbersOf(version: string): number[] {
  const [, ...numbers] = /^(\d+)\.(\d+)\.(\d+)/.exec(version) ?? []
  return numbers.map(Number)
}

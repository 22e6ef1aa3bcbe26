/** Arco's colors for data; the last is for the combined remainder. */
const PALETTE = [
  '#4080FF',
  '#55C5FD',
  '#FF7D00',
  '#4CD263',
  '#A871E3',
  '#F7BA1E',
  '#9FDB1D',
  '#F979B7',
  '#0FC6C2',
  '#E865DF',
] as const
const OTHER = '#86909C'

/**
 * Assigns each model a color, the same in all charts and, while colors suffice, on every visit: the hash of the name
 * selects it; if it is in use, the next free color is used.
 */
export function modelColors(models: readonly string[]): Map<string, string> {
  const usedIndexes = new Set<number>()
  const colors = new Map<string, string>()
  for (const model of [...models].sort()) {
    let place = hash(model) % PALETTE.length
    while (usedIndexes.has(place) && usedIndexes.size < PALETTE.length) place = (place + 1) % PALETTE.length
    usedIndexes.add(place)
    colors.set(model, PALETTE[place] ?? OTHER)
  }
  return colors
}

export const OTHER_COLOR = OTHER

function hash(text: string): number {
  let sum = 0
  for (const letter of text) sum = (sum * 31 + (letter.codePointAt(0) ?? 0)) >>> 0
  return sum
}

/** Arco's colors for data. */
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
/** The color of the group of all other models. */
export const OTHER_COLOR = '#86909C'

/**
 * Returns a color for each model, which is the same in all charts. The hash of the name selects the color. If another
 * model has this color, the next free color is used. If no color is free, several models have the same color.
 */
export function modelColors(models: readonly string[]): Map<string, string> {
  const usedIndexes = new Set<number>()
  const colors = new Map<string, string>()
  for (const model of [...models].sort()) {
    let index = hash(model) % PALETTE.length
    while (usedIndexes.has(index) && usedIndexes.size < PALETTE.length) index = (index + 1) % PALETTE.length
    usedIndexes.add(index)
    colors.set(model, PALETTE[index] ?? OTHER_COLOR)
  }
  return colors
}

function hash(text: string): number {
  let sum = 0
  for (const letter of text) sum = (sum * 31 + (letter.codePointAt(0) ?? 0)) >>> 0
  return sum
}

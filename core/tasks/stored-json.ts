/** Parses JSON text of a row. Returns null if the text is empty or invalid. Texts may be cut to a column's length. */
export function parsedJson(text: string | null): unknown {
  if (text === null || text === '') return null
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

const DEPTH_MAX = 32

/**
 * Returns an upstream's value as JSON text for a row. Returns undefined if the text is longer than `lengthMax`
 * characters. Also returns undefined if the value is nested too deeply, because JSON.stringify would fail.
 */
export function storableJson(value: unknown, lengthMax: number): string | undefined {
  if (isDeeper(value, DEPTH_MAX)) return undefined
  const text = JSON.stringify(value)
  return text !== undefined && text.length <= lengthMax ? text : undefined
}

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  return levels === 0 || Object.values(value).some((inner) => isDeeper(inner, levels - 1))
}

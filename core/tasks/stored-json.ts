/** JSON text of a row. What an upstream left half-written is as good as unknown: null. */
export function parsedJson(text: string | null): unknown {
  if (text === null || text === '') return null
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

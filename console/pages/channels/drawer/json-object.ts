import { isRecord } from '../../../records.ts'
/** Parses a JSON object. Empty text gives an empty object. Returns undefined for any other text. */
export function parseJsonObject(text: string): Record<string, unknown> | undefined {
  if (text.trim() === '') return {}
  try {
    const value: unknown = JSON.parse(text)
    return isRecord(value) ? value : undefined
  } catch {
    return undefined
  }
}

/** Whether every value of the object is a string, as mappings require. */
export function hasOnlyTexts(object: Record<string, unknown>): boolean {
  return Object.values(object).every((value) => typeof value === 'string')
}

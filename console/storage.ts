import type { StatusField } from './api/status.ts'

/** Keys of the data that this browser stores between visits. */
type Key =
  | 'user'
  | 'status'
  | 'theme'
  | 'language'
  | 'page-size'
  | 'sidebar-collapsed'
  | 'notice'
  | 'aff'
  | 'telegram-state'
  | 'playground'
  | 'playground-draft'
  | 'first-steps'
  | 'playground-prompts'
  | `columns:${string}`

/** Returns the stored value, which users can edit. Undefined if it is missing, is not JSON, or fails the check `is`. */
export function readStored<T>(key: Key, is: (value: unknown) => value is T): T | undefined {
  try {
    const value: unknown = JSON.parse(localStorage.getItem(key) ?? 'null')
    return is(value) ? value : undefined
  } catch {
    return undefined
  }
}

/** Returns the stored text; undefined if it is missing or empty. */
export const readStoredText = (key: Key): string | undefined =>
  readStored(key, (value): value is string => typeof value === 'string' && value !== '')

/** Stores the value; `undefined` removes it. */
export function writeStored(key: Key, value: unknown): void {
  try {
    if (value === undefined) localStorage.removeItem(key)
    else localStorage.setItem(key, JSON.stringify(value))
  } catch (error) {
    // Storage is full or disabled, so the value is lost when the page closes.
    console.warn(`Cannot store "${key}"`, error)
  }
}

/** Returns the text of a stored status field, such as `500000`; empty if missing. Operators' scripts also read it. */
export function readStatusText(field: StatusField): string {
  try {
    return localStorage.getItem(field) ?? ''
  } catch {
    return '' // storage is disabled
  }
}

export function writeStatusText(field: StatusField, text: string): void {
  try {
    localStorage.setItem(field, text)
  } catch (error) {
    console.warn(`Cannot store "${field}"`, error)
  }
}

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

/** Returns the stored value, which users can edit; undefined if it is missing, is not JSON, or fails the check `is`. */
export function readStored<T>(key: Key, is: (value: unknown) => value is T): T | undefined {
  try {
    const value: unknown = JSON.parse(localStorage.getItem(key) ?? 'null')
    return is(value) ? value : undefined
  } catch {
    return undefined
  }
}

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

/** Returns a stored status field, such as `true` or `500000`; empty if missing. Operators' scripts also read it. */
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

/** Returns the time that this tab has stored under the key, in unix milliseconds; 0 if the tab has stored none. */
export function readMoment(key: 'reloaded'): number {
  try {
    return Number(sessionStorage.getItem(key))
  } catch {
    return 0 // storage is disabled
  }
}

export function writeMoment(key: 'reloaded', moment: number): void {
  try {
    sessionStorage.setItem(key, String(moment))
  } catch (error) {
    console.warn(`Cannot store "${key}"`, error)
  }
}

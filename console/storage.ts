import type { StatusField } from './api/status.ts'

/** What this browser keeps between visits. */
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
  | `columns:${string}`

/** Answers `undefined` for what is missing, unreadable or not accepted by `is`: a person may have edited it. */
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
    // Storage is full or switched off in this browser: the choice then lasts until the page is closed.
    console.warn(`Cannot store "${key}"`, error)
  }
}

/** A part of the platform's status as a plain text, as programs beside the console read it: `true`, `500000`. */
export function readStatusText(field: StatusField): string {
  try {
    return localStorage.getItem(field) ?? ''
  } catch {
    return '' // storage is switched off in this browser
  }
}

export function writeStatusText(field: StatusField, text: string): void {
  try {
    localStorage.setItem(field, text)
  } catch (error) {
    console.warn(`Cannot store "${field}"`, error)
  }
}

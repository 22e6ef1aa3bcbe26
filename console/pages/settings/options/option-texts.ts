import { isJson, laidOut } from '../../../components/json-text.ts'
import type { OptionField, OptionKind } from './area.ts'

/** Returns the text that a field shows for the stored value. */
export function shownText({ kind, key }: OptionField, stored: Readonly<Record<string, string>>): string {
  if (kind === 'secret') return ''
  const text = stored[key] ?? ''
  return kind === 'json' ? (laidOut(text) ?? text) : text
}

/** Returns the text to send for a field's text. */
export function sentText({ kind }: OptionField, shown: string): string {
  return kind === 'address' ? shown.trim().replace(/\/+$/, '') : shown
}

/** Whether saving would change the option. Any input in a secret field does. */
export function isChanged(field: OptionField, draft: string, stored: Readonly<Record<string, string>>): boolean {
  if (field.kind === 'secret') return draft !== ''
  return sentText(field, draft) !== stored[field.key] && draft !== shownText(field, stored)
}

/** Whether a field shows the option's default. True if the gateway lists no default. */
export function isDefault(field: OptionField, shown: string, defaults: Readonly<Record<string, string>>): boolean {
  const text = defaults[field.key]
  return text === undefined || shown === shownText(field, defaults) || sentText(field, shown) === text
}

type Problem = 'json' | 'number'

/** Validates a text before it is sent to the server. */
export function problemOf({ kind, optional = false }: OptionField, text: string): Problem | undefined {
  if (kind === 'json') return isJson(text) ? undefined : 'json'
  if (!NUMBERS.has(kind)) return undefined
  const absent = text.trim() === ''
  return (absent && !optional) || !Number.isFinite(Number(text)) ? 'number' : undefined
}

const NUMBERS: ReadonlySet<OptionKind> = new Set(['integer', 'number', 'quota'])

/** Splits a comma-separated list. */
export const tagsOf = (text: string): string[] =>
  text
    .split(',')
    .map((tag) => tag.trim())
    .filter(Boolean)

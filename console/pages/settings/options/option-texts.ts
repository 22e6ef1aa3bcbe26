import { isJson, laidOut } from '../../../components/json-text.ts'
import type { OptionField, OptionKind } from './area.ts'

/** As a field shows what the server has. */
export function shownText({ kind, key }: OptionField, stored: Readonly<Record<string, string>>): string {
  if (kind === 'secret') return ''
  const text = stored[key] ?? ''
  return kind === 'json' ? (laidOut(text) ?? text) : text
}

/** What is sent for what a field shows. */
export function sentText({ kind }: OptionField, shown: string): string {
  return kind === 'address' ? shown.trim().replace(/\/+$/, '') : shown
}

/** Whether saving would change anything. What was typed into a secret always does. */
export function isChanged(field: OptionField, draft: string, stored: Readonly<Record<string, string>>): boolean {
  if (field.kind === 'secret') return draft !== ''
  return sentText(field, draft) !== stored[field.key] && draft !== shownText(field, stored)
}

type Problem = 'json' | 'number'

/** What is wrong with a text before anybody has asked the server. */
export function problemOf({ kind, optional = false }: OptionField, text: string): Problem | undefined {
  if (kind === 'json') return isJson(text) ? undefined : 'json'
  if (!NUMBERS.has(kind)) return undefined
  const absent = text.trim() === ''
  return (absent && !optional) || !Number.isFinite(Number(text)) ? 'number' : undefined
}

const NUMBERS: ReadonlySet<OptionKind> = new Set(['integer', 'number', 'quota'])

/** The entries of a comma list. */
export const tagsOf = (text: string): string[] =>
  text
    .split(',')
    .map((tag) => tag.trim())
    .filter(Boolean)

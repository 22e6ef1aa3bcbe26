import type { OptionDefaults } from '../../../api/options.ts'
import { formatJson, isJson } from '../../../components/json-text.ts'
import type { OptionField, OptionKind } from './area.ts'

/** Returns the text that a field shows for the stored value; empty for secrets. */
export function fieldTextOf({ kind, key }: OptionField, stored: Readonly<Record<string, string>>): string {
  if (kind === 'secret') return ''
  const text = stored[key] ?? ''
  return kind === 'json' ? (formatJson(text) ?? text) : text
}

/** Returns the text to send to the server for the text of a field. */
export function storedText({ kind }: OptionField, text: string): string {
  return kind === 'address' ? text.trim().replace(/\/+$/, '') : text
}

/** Returns whether saving would change the option. Any input in the field of a secret counts as a change. */
export function isChanged(field: OptionField, draft: string, stored: Readonly<Record<string, string>>): boolean {
  if (field.kind === 'secret') return draft !== ''
  return storedText(field, draft) !== stored[field.key] && draft !== fieldTextOf(field, stored)
}

/** Returns whether a field shows the option's default or initial value; true if the gateway lists no default. */
export function isDefaultOption(field: OptionField, text: string, defaults: OptionDefaults): boolean {
  const defaultValues = defaults[field.key]
  return (
    defaultValues === undefined ||
    defaultValues.some(
      (value) => text === fieldTextOf(field, { [field.key]: value }) || storedText(field, text) === value,
    )
  )
}

/** Returns the text of a field after its default is restored. */
export const defaultText = (field: OptionField, defaults: OptionDefaults): string =>
  fieldTextOf(field, { [field.key]: defaults[field.key]?.[0] ?? '' })

type Problem = 'json' | 'number'

/** Returns the problem of a text before it is sent to the server; undefined if it is valid. */
export function optionProblemOf({ kind, optional = false }: OptionField, text: string): Problem | undefined {
  if (kind === 'json') return isJson(text) ? undefined : 'json'
  if (!NUMBERS.has(kind)) return undefined
  const isEmpty = text.trim() === ''
  return (isEmpty && !optional) || !Number.isFinite(Number(text)) ? 'number' : undefined
}

const NUMBERS: ReadonlySet<OptionKind> = new Set(['integer', 'number', 'quota'])

/** Splits a comma-separated list. */
export const splitTags = (text: string): string[] =>
  text
    .split(',')
    .map((tag) => tag.trim())
    .filter(Boolean)

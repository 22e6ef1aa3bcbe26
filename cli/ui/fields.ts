import type { Texts } from '../texts.ts'

/** A field of a form. Its value is text; `check` throws when that text will not do. */
export type Field = TextField | ChoiceField

interface AnyField {
  /** As core calls it: an error about a field of this name is shown beside it. */
  name: string
  label: string
  initial: string
  /** Beside the field while one is in it. */
  hint?: string | ((value: string) => string)
}
export interface TextField extends AnyField {
  kind: 'text' | 'secret'
  required?: true
  /** Its value may have several. */
  lines?: true
  check?: (text: string) => unknown
}
export interface ChoiceField extends AnyField {
  kind: 'choice'
  choices: readonly Choice[]
}
export interface Choice {
  value: string
  label: string
}

export type Values = Readonly<Record<string, string>>

/** Yes or no. */
export function yesNo(parts: {
  name: string
  label: string
  initial: boolean
  text: (english: string) => string
}): ChoiceField {
  const { name, label, initial, text } = parts
  return {
    kind: 'choice',
    name,
    label,
    initial: String(initial),
    choices: [
      { value: 'true', label: text('yes') },
      { value: 'false', label: text('no') },
    ],
  }
}

/** What `check` refuses, by the name of the field. An empty text is left to `required`. */
export function faultsOf(
  fields: readonly Field[],
  values: Values,
  { text, translated }: Texts,
): Record<string, string> {
  const faults: Record<string, string> = {}
  for (const field of fields) {
    if (field.kind === 'choice') continue
    const value = (values[field.name] ?? '').trim()
    if (value === '') {
      if (field.required) faults[field.name] = text('Something must stand here.')
      continue
    }
    try {
      field.check?.(value)
    } catch (error) {
      faults[field.name] = translated(error instanceof Error ? error.message : String(error))
    }
  }
  return faults
}

/** The choices whose word starts with what was typed, then those that have it elsewhere. */
export function matching(choices: readonly Choice[], typed: string): readonly Choice[] {
  const word = typed.toLowerCase()
  const [starts, contains] = [
    choices.filter(({ label }) => label.toLowerCase().startsWith(word)),
    choices.filter(({ label }) => label.toLowerCase().indexOf(word) > 0),
  ]
  return [...starts, ...contains]
}

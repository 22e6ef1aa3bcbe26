import { reasonText } from '../command.ts'
import type { Texts } from '../texts.ts'

/** A form field. Its value is text; `check` throws if the value is invalid. */
export type FormField = TextField | ChoiceField

interface AnyField {
  /** Core's field name, which connects errors with the field. */
  name: string
  label: string
  initial: string
  /** Text beside the field while the field has focus. */
  hint?: string | ((value: string) => string)
}
interface TextField extends AnyField {
  /** Default `text`. */
  kind?: 'text' | 'secret'
  required?: true
  /** Whether the value may have several lines. */
  lines?: true
  check?: (text: string) => unknown
}
interface ChoiceField extends AnyField {
  kind: 'choice'
  choices: readonly Choice[]
}
interface Choice {
  value: string
  label: string
}

export type FieldValues = Readonly<Record<string, string>>

/** Creates a yes/no field. */
export function yesNo(parts: { name: string; label: string; initial: boolean; t: Texts['t'] }): ChoiceField {
  const { name, label, initial, t } = parts
  return {
    kind: 'choice',
    name,
    label,
    initial: String(initial),
    choices: [
      { value: 'true', label: t('label.yes') },
      { value: 'false', label: t('label.no') },
    ],
  }
}

/** Returns the errors of `required` and `check` by field name. `check` is not called for empty texts. */
export function faultsOf(
  fields: readonly FormField[],
  values: FieldValues,
  texts: Pick<Texts, 't' | 'textOf'>,
): Record<string, string> {
  const faults: Record<string, string> = {}
  for (const field of fields) {
    if (field.kind === 'choice') continue
    const value = (values[field.name] ?? '').trim()
    if (value === '') {
      if (field.required) faults[field.name] = texts.t('ui.required')
      continue
    }
    try {
      field.check?.(value)
    } catch (error) {
      faults[field.name] = reasonText(error, texts)
    }
  }
  return faults
}

/** Returns the choices whose label starts with the typed text, then choices whose label contains it. */
export function matching(choices: readonly Choice[], typed: string): readonly Choice[] {
  const word = typed.toLowerCase()
  const [starts, contains] = [
    choices.filter(({ label }) => label.toLowerCase().startsWith(word)),
    choices.filter(({ label }) => label.toLowerCase().indexOf(word) > 0),
  ]
  return [...starts, ...contains]
}

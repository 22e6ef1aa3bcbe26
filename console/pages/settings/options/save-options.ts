import { ApiError } from '../../../api/client.ts'
import { saveOption } from '../../../api/options.ts'
import type { OptionField } from './area.ts'

export interface OptionEdit {
  field: OptionField
  text: string
  /** The stored value when the user began to edit. Absent for secrets, whose values the server does not return. */
  previous?: string | undefined
}

export interface SaveResult {
  saved: OptionEdit[]
  /** The server's messages for rejected options, by option key. */
  rejected: Map<string, string>
  /** Keys of the rejected options that another user has changed meanwhile. */
  conflicts: Set<string>
  /** The error because of which saving stopped early; undefined if saving did not stop early. */
  stopError: unknown
}

/**
 * Saves the changes one by one. Saves switches after the options that the switches require. After a rejected option,
 * continues with the other options. Any other failure, such as an unreachable server, stops saving.
 */
export async function saveOptions(changes: readonly OptionEdit[], save = saveOption): Promise<SaveResult> {
  const result: SaveResult = { saved: [], rejected: new Map(), conflicts: new Set(), stopError: undefined }
  const orderOf = ({ field, text }: OptionEdit) => Number(field.needs !== undefined && text === 'true')
  for (const change of changes.toSorted((one, other) => orderOf(one) - orderOf(other))) {
    try {
      const { field, text, previous } = change
      await save({ key: field.key, value: text, ...(previous !== undefined && { was: previous }) })
      result.saved.push(change)
    } catch (error) {
      if (!(error instanceof ApiError) || error.kind !== 'refused') return { ...result, stopError: error }
      result.rejected.set(change.field.key, error.message)
      if (error.code === 'OPTION_CHANGED') result.conflicts.add(change.field.key)
    }
  }
  return result
}

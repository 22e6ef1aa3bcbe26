import { ApiError } from '../../../api/client.ts'
import { saveOption } from '../../../api/options.ts'
import type { OptionField } from './area.ts'

export interface OptionChange {
  field: OptionField
  text: string
  /** The stored value when editing began; absent for a secret, which is never displayed. */
  previous?: string | undefined
}

export interface SaveResult {
  saved: OptionChange[]
  /** The server's messages, by key. */
  rejected: Map<string, string>
  /** Rejected keys that another user has changed meanwhile. */
  conflicts: Set<string>
  /** The error that stopped saving early. */
  broken: unknown
}

/**
 * Saves the changes one by one, switches after the options they require. A rejection concerns only that option; any other
 * failure, such as an unreachable server, stops the rest.
 */
export async function saveOptions(changes: readonly OptionChange[], save = saveOption): Promise<SaveResult> {
  const result: SaveResult = { saved: [], rejected: new Map(), conflicts: new Set(), broken: undefined }
  const last = ({ field, text }: OptionChange) => Number(field.needs !== undefined && text === 'true')
  for (const change of changes.toSorted((one, other) => last(one) - last(other))) {
    try {
      const { field, text, previous } = change
      await save({ key: field.key, value: text, ...(previous !== undefined && { was: previous }) })
      result.saved.push(change)
    } catch (error) {
      if (!(error instanceof ApiError) || error.kind !== 'refused') return { ...result, broken: error }
      result.rejected.set(change.field.key, error.message)
      if (error.code === 'OPTION_CHANGED') result.conflicts.add(change.field.key)
    }
  }
  return result
}

import { ApiError } from '../../../api/client.ts'
import { saveOption } from '../../../api/options.ts'
import type { OptionField } from './area.ts'

export interface OptionChange {
  field: OptionField
  text: string
}

export interface SaveResult {
  saved: OptionChange[]
  /** In the server's words, by key. */
  refused: Map<string, string>
  /** What ended the saving before all were asked for. */
  broken: unknown
}

/**
 * Saves one after the other, so that a switch comes after what it rests on. A refusal is of that option alone; any other
 * failure, such as a server that cannot be reached, would meet the rest as well.
 */
export async function saveOptions(changes: readonly OptionChange[], save = saveOption): Promise<SaveResult> {
  const result: SaveResult = { saved: [], refused: new Map(), broken: undefined }
  const last = ({ field, text }: OptionChange) => Number(field.needs !== undefined && text === 'true')
  for (const change of changes.toSorted((one, other) => last(one) - last(other))) {
    try {
      await save({ key: change.field.key, value: change.text })
      result.saved.push(change)
    } catch (error) {
      if (!(error instanceof ApiError) || error.kind !== 'refused') return { ...result, broken: error }
      result.refused.set(change.field.key, error.message)
    }
  }
  return result
}

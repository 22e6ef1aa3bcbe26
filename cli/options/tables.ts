import type { Actor } from '../../core/actor.ts'
import { GatewayError } from '../../core/errors.ts'
import type { OptionChange, OptionValue } from '../../core/options/options.ts'
import type { CommandToolkit } from '../toolkit.ts'

const TRIES_MAX = 5

/**
 * Edits tables that are stored in options. If a table changes between the read and the write, reads and edits again, so
 * that no change is lost. Returns the last result of `edit`. Throws errors of `edit`, OPTION_*, and OPTION_CHANGED
 * after five conflicts.
 */
export async function changeTables<T extends { changes: readonly OptionChange[] }>(
  { options }: Pick<CommandToolkit, 'options'>,
  actor: Actor,
  edit: (values: readonly OptionValue[]) => T,
): Promise<T> {
  for (let remainingTries = TRIES_MAX - 1; ; remainingTries -= 1) {
    const edited = edit(await options.list(actor))
    if (edited.changes.length === 0) return edited
    try {
      await options.change(actor, edited.changes)
      return edited
    } catch (error) {
      const isConflict = error instanceof GatewayError && error.code === 'OPTION_CHANGED'
      if (!isConflict || remainingTries === 0) throw error
    }
  }
}

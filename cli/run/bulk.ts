import type { Cli } from '../cli.ts'
import type { Command } from '../command.ts'
import { CommandError, errorLine, failureOf, isPromptCanceled } from '../errors.ts'
import { isOutcomeUnknown, withRetry } from './retry.ts'

/*
 * Changes several objects by one command. Checks all objects before the first change.
 */
export interface BulkFlags {
  keepGoing?: true
}

export function withBulkFlags(command: Command): Command {
  return command.option('--keep-going', 'token.continueAfterErrorsDefault')
}

/**
 * Checks all objects, then changes each object once and prints the results. Waits for rate limits. With JSON output,
 * prints `json(results)`: by default the only result, or a list if `ids` has several ids. Without --keep-going, throws
 * the last error of the checks before any change, else the error of the first failed change. With --keep-going,
 * continues after errors, and sets the exit code of the first error. Throws INTERRUPTED after Ctrl-C, when the current
 * change has ended.
 */
export async function runBulk<Id, T extends { id: number }, R>(
  cli: Cli,
  ids: readonly Id[],
  {
    keepGoing = false,
    check,
    confirm = async () => {},
    run,
    doneText,
    json = (results) => (ids.length === 1 ? results[0] : results),
  }: {
    keepGoing?: boolean | undefined
    /** Returns the object. Throws every error that can be detected before the change. */
    check: (id: Id) => Promise<T>
    /** Asks for confirmation before the first change. */
    confirm?: (items: readonly T[]) => Promise<void>
    run: (item: T) => Promise<R>
    /** Returns the message about a completed change. */
    doneText: (result: R) => string
    json?: (results: readonly R[]) => unknown
  },
): Promise<void> {
  const errors: unknown[] = []
  // Keyed by id, because two arguments may name one object.
  const byId = new Map<number, T>()
  for (const id of new Set(ids))
    await withRetry(cli, { repeatable: true }, () => check(id)).then(
      (item) => byId.set(item.id, item),
      (error) => errors.push(error),
    )
  const items = [...byId.values()]
  if (errors.length > 0 && (!keepGoing || items.length === 0)) {
    // The caller reports the thrown error.
    for (const error of errors.slice(0, -1)) reportError(cli, error)
    throw errors.at(-1)
  }
  for (const error of errors) reportError(cli, error)
  await confirm(items)
  const signal = cli.interruption()
  const results: R[] = []
  try {
    for (const item of items) {
      try {
        const result = await withRetry(cli, { signal, repeatable: false }, () => run(item))
        results.push(result)
        if (!cli.json) cli.note(doneText(result))
      } catch (error) {
        const isCanceled = isPromptCanceled(error)
        // Before the first change, the message of a canceled prompt is right: nothing was changed.
        if (signal.aborted || (isCanceled && results.length > 0))
          throw interruptedAfter(cli, results.length, items.length, error)
        if (!keepGoing || isCanceled) throw error
        errors.push(error)
        reportError(cli, error)
      }
    }
  } finally {
    if (cli.json && results.length > 0) cli.writeJson(json(results))
  }
  if (errors.length > 0) cli.exitCode = failureOf(errors[0], cli).exit
}

function interruptedAfter({ t }: Cli, count: number, total: number, error: unknown): CommandError {
  return new CommandError(
    'INTERRUPTED',
    isOutcomeUnknown(error)
      ? t('program.interruptedAtLeastOfDone', { count, total })
      : t('program.interruptedOfDone', { count, total }),
  )
}

/** Reports a failed item. The command continues with the other items. */
export function reportError(cli: Cli, error: unknown): void {
  cli.note(errorLine(failureOf(error, cli), cli))
}

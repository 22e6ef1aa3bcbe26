import type { Command } from 'commander'
import type { Cli } from './cli.ts'
import { failureOf } from './errors.ts'

/*
 * Verbs that act on several things: all are looked at before the first is changed.
 */
export interface SeveralFlags {
  keepGoing?: boolean
}

export function withSeveralFlags(command: Command): Command {
  return command.option('--keep-going', 'do what can be done, and say what cannot (default: all or none)')
}

/**
 * Acts on each of them, and answers what the acts answered. Of those that `check` refuses, and of those whose act fails under
 * --keep-going, a line each is said and the exit code is that of the first; without --keep-going nothing is done then.
 */
export async function actOnEach<Id, T, R>(
  cli: Cli,
  ids: readonly Id[],
  {
    keepGoing = false,
    check,
    approve = async () => {},
    act,
  }: SeveralFlags & {
    /** What is there, or a refusal. */
    check: (id: Id) => Promise<T>
    /** Asks before the first act. */
    approve?: (found: readonly T[]) => Promise<void>
    act: (found: T, id: Id) => Promise<R>
  },
): Promise<R[]> {
  const found: { id: Id; one: T }[] = []
  const refused: unknown[] = []
  for (const id of ids) {
    try {
      found.push({ id, one: await check(id) })
    } catch (error) {
      refused.push(error)
    }
  }
  if (refused.length > 0 && (!keepGoing || found.length === 0)) {
    // The last is said by whoever catches it.
    for (const error of refused.slice(0, -1)) say(cli, error)
    throw refused.at(-1)
  }
  if (found.length > 0) await approve(found.map(({ one }) => one))
  const done: R[] = []
  for (const { id, one } of found) {
    try {
      done.push(await act(one, id))
    } catch (error) {
      if (!keepGoing) throw error
      refused.push(error)
    }
  }
  const [first] = refused
  for (const error of refused) say(cli, error)
  if (first !== undefined) cli.exitCode = failureOf(first, cli.language).exit
  return done
}

function say(cli: Cli, error: unknown): void {
  const { code, message, params } = failureOf(error, cli.language)
  cli.note(cli.json ? JSON.stringify({ error: { code, message, ...params } }) : `error: ${message}`)
}

/** One thing as itself, several as a list: what is asked for by one number is answered as `get` answers it. */
export function oneOrAll<T>(ids: readonly unknown[], done: readonly T[]): T | readonly T[] | undefined {
  return ids.length === 1 ? done[0] : done
}

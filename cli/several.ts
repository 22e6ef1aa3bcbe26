import type { Command } from 'commander'
import type { Cli } from './cli.ts'
import { afterColon, CommandError, failureOf } from './errors.ts'
import { answerLost, patiently } from './patience.ts'

/*
 * Verbs that act on several things: all are looked at before the first is changed.
 */
export interface SeveralFlags {
  keepGoing?: true
}

export function withSeveralFlags(command: Command): Command {
  return command.option('--keep-going', 'do what can be done, and say what cannot (default: all or none)')
}

/**
 * Acts on each of them once, and says of each what was done. Each that `check` refuses, and each whose act fails, is a line of its own,
 * and the exit code is that of the first; without --keep-going nothing is done when one is refused, and nothing more after an act that
 * fails. Waits for a server that counts calls. After Ctrl-C it ends with the act under way: INTERRUPTED. With --json: `json` of what
 * was done, by default the thing itself for one, and a list for several.
 */
export async function actOnEach<Id, T extends { id: number }, R>(
  cli: Cli,
  ids: readonly Id[],
  {
    keepGoing = false,
    check,
    approve = async () => {},
    act,
    done,
    json = (answers) => (ids.length === 1 ? answers[0] : answers),
  }: {
    keepGoing?: boolean | undefined
    /** What is there, or every refusal that can be known before the act. */
    check: (id: Id) => Promise<T>
    /** Asks before the first act. */
    approve?: (found: readonly T[]) => Promise<void>
    act: (found: T) => Promise<R>
    /** What was done to one, for people. */
    done: (answer: R) => string
    json?: (answers: readonly R[]) => unknown
  },
): Promise<void> {
  const refused: unknown[] = []
  // By number: somebody may name one thing in two ways.
  const there = new Map<number, T>()
  for (const id of new Set(ids))
    await patiently(cli, { repeatable: true }, () => check(id)).then(
      (one) => there.set(one.id, one),
      (error) => refused.push(error),
    )
  const found = [...there.values()]
  if (refused.length > 0 && (!keepGoing || found.length === 0)) {
    // The last is said by whoever catches it.
    for (const error of refused.slice(0, -1)) complain(cli, error)
    throw refused.at(-1)
  }
  for (const error of refused) complain(cli, error)
  await approve(found)
  const signal = cli.interruption()
  const answers: R[] = []
  try {
    for (const one of found) {
      try {
        const answer = await patiently(cli, { signal, repeatable: false }, () => act(one))
        answers.push(answer)
        if (!cli.json) cli.note(done(answer))
      } catch (error) {
        if (signal.aborted) throw interruptedAfter(cli, answers.length, found.length, error)
        if (!keepGoing) throw error
        refused.push(error)
        complain(cli, error)
      }
    }
  } finally {
    if (cli.json && answers.length > 0) cli.writeJson(json(answers))
  }
  if (refused.length > 0) cli.exitCode = failureOf(refused[0], cli.language).exit
}

function interruptedAfter({ say }: Cli, count: number, total: number, error: unknown): CommandError {
  return new CommandError(
    'INTERRUPTED',
    answerLost(error)
      ? say`interrupted: at least ${count} of ${total} were done`
      : say`interrupted: ${count} of ${total} were done`,
  )
}

/** Says why one of several things cannot be done, while there is more to do. */
export function complain(cli: Cli, error: unknown): void {
  const { code, message, params } = failureOf(error, cli.language)
  cli.note(cli.json ? JSON.stringify({ error: { code, message, ...params } }) : cli.say`error: ${afterColon(message)}`)
}

import type { Cli } from './cli.ts'
import { failureOf } from './errors.ts'

/** Of verbs that act on several things. */
export const KEEP_GOING = ['--keep-going', 'skip what cannot be done, and do the rest'] as const

/**
 * Does the same to several things. All are looked up before the first is changed: one that is not there keeps the others, unless
 * `keepGoing` is set. Says of each what was done, or what was wrong; with --json the answers are one array. Throws what the first
 * failure threw, or with `keepGoing` ends with its exit code.
 */
export async function actOnEach<T, R>(
  cli: Cli,
  names: readonly string[],
  {
    keepGoing = false,
    find,
    confirm,
    act,
    done,
  }: {
    keepGoing: boolean | undefined
    find: (name: string) => Promise<T>
    confirm?: (things: readonly T[]) => Promise<void>
    act: (thing: T) => Promise<R>
    done: (answer: R) => string
  },
): Promise<void> {
  const complain = (error: unknown) => {
    const { message, exit } = failureOf(error, cli.language)
    cli.note(`error: ${message}`)
    if (cli.exitCode === 0) cli.exitCode = exit
  }
  const found: T[] = []
  const failures: unknown[] = []
  for (const name of new Set(names)) {
    try {
      found.push(await find(name))
    } catch (error) {
      failures.push(error)
    }
  }
  if (failures.length > 0 && !keepGoing) {
    for (const failure of cli.json ? [] : failures.slice(1)) complain(failure)
    throw failures[0]
  }
  for (const failure of failures) complain(failure)
  if (found.length > 0) await confirm?.(found)
  const answers: R[] = []
  try {
    for (const thing of found) {
      try {
        const answer = await act(thing)
        answers.push(answer)
        if (!cli.json) cli.note(done(answer))
      } catch (error) {
        if (!keepGoing) throw error
        complain(error)
      }
    }
  } finally {
    if (cli.json) cli.writeJson(answers)
  }
}

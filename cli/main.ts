import { VERSION } from '../core/version.ts'
import type { Cli } from './cli.ts'
import type { Surroundings } from './surroundings.ts'

/** Runs one command line in this process's own surroundings, and sets its exit code. */
export async function main(words: readonly string[] = process.argv.slice(2)): Promise<void> {
  const { stdin, stdout, stderr, env } = process
  // A reader that has seen enough, such as `head`, is no failure of ours.
  for (const stream of [stdout, stderr]) stream.on('error', ignoreClosedPipe)
  process.exitCode = await run(words, { stdin, stdout, stderr, env, folder: process.cwd() })
}

/** Runs one command line. Answers the exit code. */
export async function run(words: readonly string[], surroundings: Surroundings): Promise<number> {
  // Nothing else needs to be loaded to say this.
  if (words.length === 1 && (words[0] === '--version' || words[0] === '-V')) {
    surroundings.stdout.write(`${VERSION}\n`)
    return 0
  }
  const [{ createCli }, { createProgram }, { dispatch }, { chosenLanguage }, { loadTexts }] = await Promise.all([
    import('./cli.ts'),
    import('./program.ts'),
    import('./dispatch.ts'),
    import('./language.ts'),
    import('./texts.ts'),
  ])
  const texts = await loadTexts(chosenLanguage(words, surroundings.env))
  const cli = createCli({ surroundings, texts, flags: () => program.opts() })
  const program = createProgram(cli)
  try {
    await dispatch(program, cli, words)
    await cli.written()
  } catch (error) {
    await fail(cli, error)
  } finally {
    await cli.close().catch((error) => fail(cli, error))
  }
  return cli.exitCode
}

async function fail(cli: Cli, error: unknown): Promise<void> {
  const [{ afterColon, failureOf }, { stackWanted }] = await Promise.all([
    import('./errors.ts'),
    import('./settings.ts'),
  ])
  const { exit, code, message, params } = failureOf(error, cli.language, cli.translated)
  cli.exitCode = exit
  if (message === '') return
  cli.note(cli.json ? JSON.stringify({ error: { code, message, ...params } }) : cli.say`error: ${afterColon(message)}`)
  if (!cli.json && cli.hint !== undefined) for (const line of cli.hint.split('\n')) cli.note(line)
  if (code === 'UNEXPECTED' && stackWanted(cli.env) && error instanceof Error)
    for (const line of (error.stack ?? '').split('\n')) cli.note(line)
}

function ignoreClosedPipe(error: NodeJS.ErrnoException): void {
  // EIO: the terminal itself has gone.
  if (error.code !== 'EPIPE' && error.code !== 'EIO') throw error
}

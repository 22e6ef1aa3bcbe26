import { VERSION } from '../core/version.ts'
import type { Cli } from './cli.ts'
import type { CliIo } from './io.ts'

/** Runs one command line with the streams and environment of this process, and sets the exit code of this process. */
export async function main(words: readonly string[] = process.argv.slice(2)): Promise<void> {
  const { stdin, stdout, stderr, env } = process
  // A reader that closes the pipe early, such as `head`, is not an error.
  for (const stream of [stdout, stderr]) stream.on('error', ignoreClosedPipe)
  process.exitCode = await run(words, { stdin, stdout, stderr, env, folder: process.cwd() })
}

/** Runs one command line. Returns the exit code. */
export async function run(words: readonly string[], io: CliIo): Promise<number> {
  // Prints the version without loading other modules, which would take time.
  if (words.length === 1 && (words[0] === '--version' || words[0] === '-V')) {
    io.stdout.write(`${VERSION}\n`)
    return 0
  }
  const [{ createCli }, { createProgram }, { dispatch }, { chosenLanguage }, { loadTexts }] = await Promise.all([
    import('./cli.ts'),
    import('./program.ts'),
    import('./dispatch.ts'),
    import('./language.ts'),
    import('./texts.ts'),
  ])
  const texts = await loadTexts(chosenLanguage(words, io.env))
  const cli = createCli({ io, texts, flags: () => program.opts() })
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
  const [{ afterColon, EXIT, failureOf }, { stackWanted }] = await Promise.all([
    import('./errors.ts'),
    import('./settings.ts'),
  ])
  const { exit, code, message, params } = failureOf(error, cli)
  cli.exitCode = exit === EXIT.usage ? cli.usageExit : exit
  if (message === '') return
  cli.note(
    cli.json
      ? JSON.stringify({ error: { code, message, ...params } })
      : cli.t('general.error', { message: afterColon(message) }),
  )
  if (!cli.json && cli.hint !== undefined) for (const line of cli.hint.split('\n')) cli.note(line)
  if (code === 'UNEXPECTED' && stackWanted(cli.env) && error instanceof Error)
    for (const line of (error.stack ?? '').split('\n')) cli.note(line)
}

function ignoreClosedPipe(error: NodeJS.ErrnoException): void {
  // EIO means that the terminal was closed.
  if (error.code !== 'EPIPE' && error.code !== 'EIO') throw error
}

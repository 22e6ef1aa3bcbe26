import { VERSION } from '../core/version.ts'
import type { Cli } from './cli.ts'
import type { CliIo } from './io.ts'

/** Runs one command line with the streams and environment of this process, and sets the exit code of this process. */
export async function main(words: readonly string[] = process.argv.slice(2)): Promise<void> {
  const { stdin, stdout, stderr, env } = process
  let outputError: NodeJS.ErrnoException | undefined
  stdout.on('error', (error: NodeJS.ErrnoException) => {
    outputError ??= error
  })
  // A failed write to stderr cannot be reported.
  stderr.on('error', () => {})
  process.exitCode = await run(words, { stdin, stdout, stderr, env, folder: process.cwd() })
  // Errors of the last write arrive in the next turn of the event loop.
  await new Promise((resolve) => setImmediate(resolve))
  if (outputError && !isReaderGone(outputError))
    process.exitCode = await failOutput(outputError, words, { stderr, env })
}

/** Runs one command line. Returns the exit code. */
export async function run(words: readonly string[], io: CliIo): Promise<number> {
  // Prints the version at once, without the time that loading the other modules takes.
  if (words.length === 1 && (words[0] === '--version' || words[0] === '-V')) {
    io.stdout.write(`${VERSION}\n`)
    return 0
  }
  const [{ createCli }, { createProgram }, { dispatch }, { chosenLanguage, loadTexts }] = await Promise.all([
    import('./cli.ts'),
    import('./program.ts'),
    import('./dispatch.ts'),
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
  const [{ EXIT, errorLine, failureOf }, { isStackWanted }] = await Promise.all([
    import('./errors.ts'),
    import('./settings.ts'),
  ])
  const failure = failureOf(error, cli)
  cli.exitCode = failure.exit === EXIT.usage ? cli.usageExit : failure.exit
  if (failure.message === '') return
  cli.note(errorLine(failure, cli))
  if (!cli.json && cli.hint !== undefined) for (const line of cli.hint.split('\n')) cli.note(line)
  if (failure.code === 'UNEXPECTED' && isStackWanted(cli.env) && error instanceof Error)
    for (const line of (error.stack ?? '').split('\n')) cli.note(line)
}

/** Whether the reader has closed the pipe, as `head` does, or the terminal was closed. Neither is an error. */
const isReaderGone = ({ code }: NodeJS.ErrnoException): boolean => code === 'EPIPE' || code === 'EIO'

/** Reports that the output is incomplete, such as after a disk is full. Returns the exit code. */
async function failOutput(
  error: NodeJS.ErrnoException,
  words: readonly string[],
  { stderr, env }: Pick<CliIo, 'stderr' | 'env'>,
): Promise<number> {
  const [{ EXIT }, { fileErrorText }, { chosenLanguage, loadTexts }] = await Promise.all([
    import('./errors.ts'),
    import('../core/messages/file-errors.ts'),
    import('./texts.ts'),
  ])
  const { t, language } = await loadTexts(chosenLanguage(words, env))
  const message = t('db.cannotWrite', { path: 'stdout', message: fileErrorText(error, language) })
  const isJson = words.includes('--json')
  stderr.write(
    `${isJson ? JSON.stringify({ error: { code: 'FILE_UNWRITABLE', message } }) : t('general.error', { message })}\n`,
  )
  return EXIT.failed
}

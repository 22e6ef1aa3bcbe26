import { readFileSync } from 'node:fs'
import { Command } from 'commander'
import { type Cli, createCli, type GlobalFlags } from './cli.ts'
import { NOUNS } from './nouns.ts'

/** Runs one command line and sets the exit code of the process. */
export async function main(words: readonly string[] = process.argv.slice(2)): Promise<void> {
  const program = new Command('tollgate')
  const { stdin, stdout, stderr } = process
  // A reader that has seen enough, such as `head`, is no failure of ours.
  for (const stream of [stdout, stderr]) stream.on('error', ignoreClosedPipe)
  const cli = createCli({ stdin, stdout, stderr, flags: () => program.opts<GlobalFlags>() })
  try {
    describe(program, cli)
    const { operands, unknown } = program.parseOptions([...words])
    const [first, second] = operands
    const noun = await addNouns(program, cli, first === 'help' ? second : first)
    const unfinished = operands.length === 0 ? program : operands.length === 1 ? noun : undefined
    if (unfinished?.commands.length && unknown.length === 0) unfinished.outputHelp()
    else await program.parseAsync(words, { from: 'user' })
  } catch (error) {
    await fail(cli, error)
  } finally {
    await cli.close().catch((error) => fail(cli, error))
  }
  process.exitCode = cli.exitCode
}

function describe(program: Command, cli: Cli): void {
  program
    .description('An AI model gateway: one address for many providers, with users, API keys and exact accounts.')
    .option('--json', 'print one JSON document')
    .option('--database <url>', 'database to use: sqlite:PATH or postgres://…')
    .option('--config <file>', 'settings file (default: ./tollgate.yaml, if there is one)')
    .option('--no-color', 'print without colour')
    .version(packageVersion(), '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .helpCommand('help [command]', 'print the help of a command')
    .showSuggestionAfterError()
    .exitOverride()
    .configureOutput({
      writeOut: (text) => void cli.stdout.write(text),
      writeErr: (text) => void cli.stderr.write(text),
      // What goes wrong is said in one place, cli/errors.ts.
      outputError: () => {},
    })
    .configureHelp({
      showGlobalOptions: true,
      // It works, but is no business of the gateway's.
      visibleCommands: ({ commands }) => [...commands],
    })
    .addHelpText('after', FIRST_STEPS)
}

const FIRST_STEPS = `
First steps:
  tollgate demo     try it: a throw-away gateway that needs no account anywhere
  tollgate init     set up your own: password, first channel, first API key
  tollgate serve    run it

Example:
  tollgate doctor`

/** Only the noun that is asked for is loaded, and answered: the others are known by name and description. */
async function addNouns(program: Command, cli: Cli, wanted: string | undefined): Promise<Command | undefined> {
  for (const { name, description, group, load } of NOUNS) {
    const command = name === wanted ? (await load())(cli) : new Command(name)
    program.addCommand(command.description(description).helpGroup(group))
    inherit(command, program)
  }
  return program.commands.find((command) => command.name() === wanted)
}

/** Commands that were made apart take over how the program prints, fails and helps. */
function inherit(command: Command, parent: Command): void {
  command.copyInheritedSettings(parent)
  for (const verb of command.commands) inherit(verb, command)
}

async function fail(cli: Cli, error: unknown): Promise<void> {
  const [{ failureOf }, { language, stackWanted }] = await Promise.all([import('./errors.ts'), import('./settings.ts')])
  const { exit, code, message, params } = failureOf(error, language())
  cli.exitCode = exit
  if (message === '') return
  cli.note(cli.json ? JSON.stringify({ error: { code, message, ...params } }) : `error: ${message}`)
  if (code === 'UNEXPECTED' && stackWanted() && error instanceof Error)
    for (const line of (error.stack ?? '').split('\n')) cli.note(line)
}

function ignoreClosedPipe(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') throw error
}

/** Beside dist/ once built. */
function packageVersion(): string {
  const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))
  return String(version)
}

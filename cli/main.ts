import { Command, Option } from 'commander'
import { VERSION } from '../core/version.ts'
import { type Cli, createCli, type GlobalFlags } from './cli.ts'
import { chosenLanguage } from './language.ts'
import { NOUNS } from './nouns.ts'
import type { Surroundings } from './surroundings.ts'
import { loadTexts } from './texts.ts'

/** Runs one command line in this process's own surroundings, and sets its exit code. */
export async function main(words: readonly string[] = process.argv.slice(2)): Promise<void> {
  const { stdin, stdout, stderr, env } = process
  // A reader that has seen enough, such as `head`, is no failure of ours.
  for (const stream of [stdout, stderr]) stream.on('error', ignoreClosedPipe)
  process.exitCode = await run(words, { stdin, stdout, stderr, env, folder: process.cwd() })
}

/** Runs one command line. Answers the exit code. */
export async function run(words: readonly string[], surroundings: Surroundings): Promise<number> {
  const program = new Command('tollgate')
  const texts = await loadTexts(chosenLanguage(words, surroundings.env))
  const cli = createCli({ surroundings, texts, flags: () => program.opts<GlobalFlags>() })
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
  return cli.exitCode
}

function describe(program: Command, cli: Cli): void {
  program
    .description('An AI model gateway: one address for many providers, with users, API keys and exact accounts.')
    .option('--json', 'print one JSON document')
    .option('--server <url>', 'gateway to ask, as its user TOLLGATE_TOKEN or of tollgate login')
    .option('--profile <name>', 'gateway signed in to by this name; local is the database on this machine')
    .option('--database <url>', 'database to use: sqlite:PATH or postgres://…')
    .option('--config <file>', 'settings file (default: ./tollgate.yaml, if there is one)')
    .option('--no-color', 'print without colour')
    .addOption(new Option('--language <code>', 'language of texts (default: by LANG)').choices(['en', 'zh']))
    .version(VERSION, '-V, --version', 'print the version')
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
  const [{ failureOf }, { stackWanted }] = await Promise.all([import('./errors.ts'), import('./settings.ts')])
  const { exit, code, message, params } = failureOf(error, cli.language)
  cli.exitCode = exit
  if (message === '') return
  cli.note(cli.json ? JSON.stringify({ error: { code, message, ...params } }) : `error: ${message}`)
  if (code === 'UNEXPECTED' && stackWanted(cli.env) && error instanceof Error)
    for (const line of (error.stack ?? '').split('\n')) cli.note(line)
}

function ignoreClosedPipe(error: NodeJS.ErrnoException): void {
  // EIO: the terminal itself has gone.
  if (error.code !== 'EPIPE' && error.code !== 'EIO') throw error
}

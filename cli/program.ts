import { Command, Option } from 'commander'
import { VERSION } from '../core/version.ts'
import type { Cli } from './cli.ts'
import { waitingTime } from './input/arguments.ts'
import { NOUNS } from './nouns.ts'
import { convertDollars } from './output/dollars.ts'

const FIRST_STEPS = `
First steps on this machine:
  tollgate demo           # a temporary gateway with simulated answers
  tollgate init           # your own: password, first channel, first API key
  tollgate serve          # run it

First steps with a remote gateway:
  tollgate login <url>    # later commands use that gateway
  tollgate token create my-app

Examples:
  tollgate channel list
  tollgate token list --json
  tollgate doctor

For details: tollgate help <command>. Exit codes, JSON and environment: docs/cli.md, and man tollgate.`

/** Creates the root command; nouns are added later. */
export function createProgram(cli: Cli): Command {
  return (
    new Command('tollgate')
      .description('An AI model gateway: one address for many providers, with users, API keys and exact accounting.')
      .option('--json', 'print one JSON document')
      .option('--fields <list>', 'print JSON with only these fields, separated by commas')
      .option('--jq <program>', 'filter the JSON by this jq program; prints strings without quotes')
      .option('--template <text>', "print one line per record, such as '{{id}} {{name}}'; \\t is a tab")
      .option('--envelope', 'print lists in JSON as {items, total, page, page_size}')
      .option('--server <url>', 'gateway to use, as the user of TOLLGATE_TOKEN or tollgate login')
      .option('--profile <name>', 'profile to use, by name; local is the database on this machine')
      .option('--database <url>', 'database to use: sqlite:PATH or postgres://…')
      .option('--config <file>', 'settings file (default: ./tollgate.yaml, if it exists)')
      .option('--no-color', 'print without color')
      .option('--no-wait', 'fail instead of waiting when a gateway asks to wait')
      .option('--timeout <time>', 'maximum time to wait for a gateway, in seconds, or such as 5m', waitingTime)
      .addOption(new Option('--language <code>', 'language of texts (default: by LANG)').choices(['en', 'zh']))
      .version(VERSION, '-V, --version', 'print the version')
      .helpOption('-h, --help', 'print this help')
      // `dispatch` handles `help` before any command: tollgate help channel add
      .helpCommand(false)
      .showSuggestionAfterError()
      .exitOverride()
      .hook('preAction', (_program, command) => convertDollars(cli, command))
      .configureOutput({
        writeOut: (text) => void cli.stdout.write(text),
        writeErr: (text) => void cli.stderr.write(text),
        // cli/errors.ts prints all errors.
        outputError: () => {},
      })
      .addHelpText('after', FIRST_STEPS)
  )
}

/** Adds all nouns by name and description. Loads and returns the wanted one. */
export async function addNouns(program: Command, cli: Cli, wanted: string | undefined): Promise<Command | undefined> {
  let loaded: Command | undefined
  for (const noun of NOUNS) {
    const { name, description, group, load } = noun
    const command = name === wanted ? (await load())(cli) : new Command(name)
    program.addCommand(command.description(description).helpGroup(group))
    inherit(command, program)
    if (name === wanted) loaded = command
  }
  return loaded
}

/** The program with every noun loaded, for completion and documents. */
export async function wholeProgram(cli: Cli): Promise<Command> {
  const program = createProgram(cli)
  for (const { description, group, load } of NOUNS) {
    const command = (await load())(cli)
    program.addCommand(command.description(description).helpGroup(group))
    inherit(command, program)
  }
  return program
}

/** Common aliases in other command lines. */
const ALIASES: Readonly<Record<string, string>> = { list: 'ls', delete: 'rm', remove: 'rm', revoke: 'rm', get: 'show' }

/** Copies the program's output, error and help settings to separately created commands. */
function inherit(command: Command, parent: Command): void {
  command.copyInheritedSettings(parent)
  for (const verb of command.commands) {
    inherit(verb, command)
    const alias = ALIASES[verb.name()]
    const isTaken = command.commands.some((other) => other.name() === alias || other.aliases().includes(alias ?? ''))
    if (alias !== undefined && !isTaken) verb.alias(alias)
  }
}

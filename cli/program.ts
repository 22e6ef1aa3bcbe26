import { Option } from 'commander'
import { VERSION } from '../core/version.ts'
import type { Cli } from './cli.ts'
import { Command } from './command.ts'
import { waitingTime } from './input/arguments.ts'
import { NOUNS } from './nouns.ts'
import { convertDollars } from './output/dollars.ts'

/** Creates the root command, without nouns. */
export function createProgram(cli: Cli): Command {
  return (
    new Command('tollgate', cli)
      .description('program.anAiModelGateway')
      .option('--json', 'program.printOneJsonDocument')
      .option('--fields <list>', 'program.printJsonWithOnlyTheseFields')
      .option('--jq <program>', 'program.filterTheJsonByThisJq')
      .addOption(
        new Option('--template <text>', cli.t('program.printOneLinePerRecord', { example: '{{id}} {{name}}' })),
      )
      .option('--envelope', 'program.printListsInJsonAsItems')
      .option('--server <url>', 'program.gatewayToUse')
      .option('--profile <name>', 'program.profileToUse')
      .option('--database <url>', 'program.databaseToUse')
      .option('--config <file>', 'program.settingsFileDefault')
      .option('--no-color', 'program.printWithoutColor')
      .option('--no-wait', 'program.failInsteadOfWaiting')
      .option('--timeout <time>', 'server.maximumTimeToWait', waitingTime)
      .choice('--language <code>', 'program.languageOfTexts', ['en', 'zh'], { id: 'program.defaultByLang' })
      .version(VERSION, '-V, --version', cli.t('program.printTheVersion'))
      .helpOption('-h, --help', cli.t('program.printThisHelp'))
      // `dispatch` handles the word `help` before a command, as in `tollgate help channel add`.
      .helpCommand(false)
      .exitOverride()
      .hook('preAction', (_program, command) => convertDollars(cli, command))
      .configureOutput({
        writeOut: (text) => void cli.stdout.write(text),
        writeErr: (text) => void cli.stderr.write(text),
        // cli/errors.ts prints all errors.
        outputError: () => {},
      })
      .listing('program.firstStepsOnThisMachineTitle', [
        'tollgate demo           # a temporary gateway with simulated answers',
        'tollgate init           # your own: password, first channel, first API key',
        'tollgate serve          # run it',
      ])
      .listing('program.firstStepsWithARemoteGatewayTitle', [
        'tollgate login <url>    # later commands use that gateway',
        'tollgate token create my-app',
      ])
      .example('tollgate channel list', 'tollgate token list --json', 'tollgate doctor')
  )
}

/** Adds all nouns by name and description. Loads only the verbs of the nouns that `isLoaded` selects. */
export async function addNouns(program: Command, cli: Cli, isLoaded: (noun: string) => boolean): Promise<void> {
  for (const { name, description, group, load } of NOUNS) {
    const command = isLoaded(name) ? (await load())(cli) : new Command(name, cli)
    program.addCommand(command.description(description).helpGroup(group))
    inherit(command, program)
  }
}

/** Returns the program with every noun loaded, for completion and documents. */
export async function wholeProgram(cli: Cli): Promise<Command> {
  const program = createProgram(cli)
  await addNouns(program, cli, () => true)
  return program
}

/** Aliases of verbs, because users know these words from other programs. */
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

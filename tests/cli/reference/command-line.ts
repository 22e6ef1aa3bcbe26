import { type Cli, createCli } from '../../../cli/cli.ts'
import type { Command } from '../../../cli/command.ts'
import { type HelpPage, helpPageOf } from '../../../cli/help/page.ts'
import { wholeProgram } from '../../../cli/program.ts'
import { ENGLISH } from '../../../cli/texts.ts'

/** Returns a command line of which only the help is read. It is never run. */
export function cliForReading(): Cli {
  const { stdin, stdout, stderr } = process
  return createCli({
    io: { stdin, stdout, stderr, env: {}, folder: '.' },
    texts: ENGLISH,
    flags: () => ({}),
  })
}

/** A page of help, and those of the commands below it. */
export interface Chapter {
  page: HelpPage
  /** The group of the command in the program's help, such as `Manage:`. */
  group: string
  below: Chapter[]
}

/** Returns the help of all commands, in the order of the program's help. */
export async function readCommandLine(): Promise<Chapter> {
  return chapterOf(await wholeProgram(cliForReading()))
}

function chapterOf(command: Command): Chapter {
  return {
    page: helpPageOf(command),
    group: command.helpGroup(),
    below: command.commands.map(chapterOf),
  }
}

/** Exit codes and environment variables, for every document. */
export const EXIT_CODES = [
  ['0', 'success, also without results'],
  ['1', 'failed: an upstream, server or database failed, a check failed, or the user declined a prompt'],
  ['2', 'invalid usage or value'],
  ['3', 'not found'],
  ['4', 'not allowed, or not signed in'],
  ['5', 'conflict: the object exists already, or its state does not allow the change'],
  ['130', 'interrupted, by Ctrl-C or the signals TERM and HUP'],
] as const

export const ENVIRONMENT = [
  ['TOLLGATE_SERVER', 'gateway to use, like --server'],
  ['TOLLGATE_TOKEN', 'access token for the gateway; keep the token out of shell histories'],
  ['TOLLGATE_PROFILE', 'profile to use, like --profile; local is the local database'],
  ['DATABASE_URL', 'local database, like --database; every other setting can also be a variable'],
  ['TOLLGATE_SECRET', 'master key of the local database'],
  ['XDG_CONFIG_HOME', 'folder that contains tollgate/profiles.json (default: ~/.config)'],
  ['LC_ALL, LC_MESSAGES, LANG', 'Chinese if they start with zh, else English'],
  ['NO_COLOR', 'if set, output has no color; in a pipe, it never has'],
  ['LOG_LEVEL', 'debug adds the stack to an unexpected error'],
] as const

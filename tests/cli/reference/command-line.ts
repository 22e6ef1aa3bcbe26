import { type Cli, createCli } from '../../../cli/cli.ts'
import type { Command } from '../../../cli/command.ts'
import { type HelpPage, helpPageOf } from '../../../cli/help/page.ts'
import { wholeProgram } from '../../../cli/program.ts'
import { ENGLISH } from '../../../cli/texts.ts'

/** A command line that is never run: for what commands say of themselves. */
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
  /** Where the program's own help puts it: `Manage:` */
  group: string
  below: Chapter[]
}

/** All help that there is, in its order. */
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

/** The program's exit codes, and the environment that commands look at: the same in every document. */
export const EXIT_CODES = [
  ['0', 'success, also without results'],
  ['1', 'failed: upstream, server, database, a check that found something, a question answered with no'],
  ['2', 'wrong usage or value'],
  ['3', 'not found'],
  ['4', 'not allowed, or not signed in'],
  ['5', 'conflict: it exists already, or its state forbids it'],
  ['130', 'interrupted, by Ctrl-C or the signals TERM and HUP'],
] as const

export const ENVIRONMENT = [
  ['TOLLGATE_SERVER', 'gateway to use, like --server'],
  ['TOLLGATE_TOKEN', 'access token for it; keep it out of shell histories'],
  ['TOLLGATE_PROFILE', 'profile to use, like --profile; local is the database on this machine'],
  ['DATABASE_URL', 'database on this machine, like --database; every other setting can also be a variable'],
  ['TOLLGATE_SECRET', "the key of that database's secrets"],
  ['XDG_CONFIG_HOME', 'folder that contains tollgate/profiles.json (default: ~/.config)'],
  ['LC_ALL, LC_MESSAGES, LANG', 'Chinese if they start with zh, else English'],
  ['NO_COLOR', 'if set, output has no color; in a pipe, it never has'],
  ['LOG_LEVEL', 'debug adds the stack to an unexpected error'],
] as const

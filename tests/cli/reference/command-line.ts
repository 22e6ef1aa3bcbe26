import type { Command } from 'commander'
import { type Cli, createCli } from '../../../cli/cli.ts'
import { type HelpPage, helpPageOf } from '../../../cli/help/page.ts'
import { wholeProgram } from '../../../cli/program.ts'
import { createTexts } from '../../../cli/texts.ts'

/** A command line that is never run: for what commands say of themselves. */
export function cliForReading(): Cli {
  const { stdin, stdout, stderr } = process
  return createCli({
    io: { stdin, stdout, stderr, env: {}, folder: '.' },
    texts: createTexts('en', {}),
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
    page: helpPageOf(command, createTexts('en', {})),
    group: command.helpGroup(),
    below: command.commands.map(chapterOf),
  }
}

/** The program's exit codes, and the environment that commands look at: the same in every document. */
export const EXIT_CODES = [
  ['0', 'done. No results is done, too'],
  ['1', 'failed: upstream, server, database, a check that found something, a question answered with no'],
  ['2', 'wrong usage or value'],
  ['3', 'not found'],
  ['4', 'not allowed, or not signed in'],
  ['5', 'conflict: it exists already, or its state forbids it'],
  ['130', 'interrupted, by Ctrl-C or the signals TERM and HUP'],
] as const

export const ENVIRONMENT = [
  ['TOLLGATE_SERVER', 'the gateway to ask, as --server has it'],
  ['TOLLGATE_TOKEN', 'the access token to ask it with; keep it out of shell histories'],
  ['TOLLGATE_PROFILE', 'the profile to use, as --profile has it; local is the database on this machine'],
  ['DATABASE_URL', 'the database on this machine, as --database has it; every other setting can stand here too'],
  ['TOLLGATE_SECRET', "the key of that database's secrets"],
  ['XDG_CONFIG_HOME', 'profiles are kept in tollgate/profiles.json below it (default: ~/.config)'],
  ['LC_ALL, LC_MESSAGES, LANG', 'Chinese where they start with zh, else English'],
  ['NO_COLOR', 'if set, nothing is coloured; nor is it in a pipe'],
  ['LOG_LEVEL', 'debug adds the stack to an unexpected error'],
] as const

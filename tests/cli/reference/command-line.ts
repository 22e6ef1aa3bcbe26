import { type Cli, createCli } from '../../../cli/cli.ts'
import type { Command } from '../../../cli/command.ts'
import { type HelpPage, helpPageOf } from '../../../cli/help/page.ts'
import { wholeProgram } from '../../../cli/program.ts'
import { ENGLISH, type Texts } from '../../../cli/texts.ts'

/** Returns a command line that is never run. Only its help is read. */
export function cliForReading(texts: Texts = ENGLISH): Cli {
  const { stdin, stdout, stderr } = process
  return createCli({
    io: { stdin, stdout, stderr, env: {}, folder: '.' },
    texts,
    flags: () => ({}),
  })
}

/** The help page of a command, and the chapters of its subcommands. */
export interface Chapter {
  page: HelpPage
  /** The group of the command in the program's help, such as `Manage:`. */
  group: string
  below: Chapter[]
}

/** Returns the help of all commands, in the order of the program's help. */
export async function readCommandLine(texts?: Texts): Promise<Chapter> {
  return chapterOf(await wholeProgram(cliForReading(texts)))
}

function chapterOf(command: Command): Chapter {
  return {
    page: helpPageOf(command),
    group: command.helpGroup(),
    below: command.commands.map(chapterOf),
  }
}

/** The exit codes, for docs/cli.md and the manual page. */
export const EXIT_CODES = [
  ['0', 'success, also without results'],
  [
    '1',
    'failed: an upstream, server or database failed, a check failed, the quota or a limit is exhausted, a file is unreadable, or the user declined a prompt',
  ],
  ['2', 'invalid usage or value. For config plan and config diff: there are changes, and 1 is invalid usage'],
  ['3', 'not found'],
  ['4', 'not allowed, or not signed in'],
  ['5', 'conflict: the object exists already, or its state does not allow the change'],
  [
    '130',
    'interrupted, by Ctrl-C or the signals TERM and HUP. For serve, the first Ctrl-C or TERM is 0, a second TERM 143',
  ],
] as const

export const ENVIRONMENT = [
  ['TOLLGATE_SERVER', 'gateway to use, like --server'],
  ['TOLLGATE_TOKEN', 'access token for the gateway; keep the token out of shell histories'],
  ['TOLLGATE_PROFILE', 'profile to use, like --profile; the value local means the local database'],
  ['DATABASE_URL', 'local database, like --database; every other setting can also be a variable'],
  ['TOLLGATE_SECRET', 'master key of the local database'],
  ['XDG_CONFIG_HOME', 'folder that contains tollgate/profiles.json (default: ~/.config)'],
  ['LC_ALL, LC_MESSAGES, LANG', 'language: Chinese if the first of these that is set starts with zh, else English'],
  ['NO_COLOR', 'if set, output has no color; output to a pipe never has color'],
  ['LOG_LEVEL', 'debug adds the stack to an unexpected error'],
] as const

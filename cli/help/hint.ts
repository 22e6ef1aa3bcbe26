import { CommanderError } from 'commander'
import type { Cli } from '../cli.ts'
import type { Command } from '../command.ts'
import { MissingFlag } from '../errors.ts'
import { helpPageOf } from './page.ts'

const ARGUMENT_ERRORS = new Set([
  'commander.missingArgument',
  'commander.missingMandatoryOptionValue',
  'commander.optionMissingArgument',
  'commander.excessArguments',
])

/** Returns the usage of the command and an example if arguments are missing or too many; undefined for other errors. */
export function hintFor(cli: Cli, command: Command, error: unknown): string | undefined {
  const isArgumentError =
    error instanceof MissingFlag || (error instanceof CommanderError && ARGUMENT_ERRORS.has(error.code))
  if (!isArgumentError) return undefined
  const { usage, examples } = helpPageOf(command)
  const [example] = examples
  const usageLine = `${cli.t('program.usageTitle')} ${usage}`
  return example ? `${usageLine}\n${cli.t('program.example', { example })}` : usageLine
}

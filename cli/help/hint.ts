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

/** Returns the usage and an example for missing or excess arguments; undefined for other errors. */
export function hintFor(cli: Cli, command: Command, error: unknown): string | undefined {
  const isArgumentError =
    error instanceof MissingFlag || (error instanceof CommanderError && ARGUMENT_ERRORS.has(error.code))
  if (!isArgumentError) return undefined
  const {
    usage,
    examples: [example],
  } = helpPageOf(command)
  return [`${cli.t('program.usageTitle')} ${usage}`, ...(example ? [cli.t('program.example', { example })] : [])].join(
    '\n',
  )
}

import { type Command, CommanderError } from 'commander'
import type { Cli } from '../cli.ts'
import { MissingFlag } from '../errors.ts'
import { helpPageOf } from './page.ts'

const MISSING = new Set([
  'commander.missingArgument',
  'commander.missingMandatoryOptionValue',
  'commander.optionMissingArgument',
  'commander.excessArguments',
])

/** Usage and an example for missing or excess arguments; undefined for other errors. */
export function hintFor(cli: Cli, command: Command, error: unknown): string | undefined {
  const isMissing = error instanceof MissingFlag || (error instanceof CommanderError && MISSING.has(error.code))
  if (!isMissing) return undefined
  const { usage, blocks } = helpPageOf(command, cli)
  const [example] = blocks.find(({ title }) => title === cli.text('Examples:'))?.lines ?? []
  return [`${cli.text('Usage:')} ${usage}`, ...(example ? [cli.say`Example: ${example.trim()}`] : [])].join('\n')
}

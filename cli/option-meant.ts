import { type Command, CommanderError } from 'commander'
import { allOptions } from './refused-words.ts'

/** A message of Commander about an option that there is not, with the one that may have been meant; any other error as it is. */
export function withOptionMeant(error: unknown, command: Command): unknown {
  if (!(error instanceof CommanderError) || error.code !== 'commander.unknownOption') return error
  const [, word] = /unknown option '([^']*)'$/.exec(error.message) ?? []
  const meant = word && optionMeant(word, command)
  return meant ? new CommanderError(error.exitCode, error.code, `${error.message}\n(Did you mean ${meant}?)`) : error
}

/** For a letter the first option that begins with it, for a word the first that has it among its own: -m and --url. */
function optionMeant(word: string, command: Command): string | undefined {
  const names = allOptions(command).flatMap(({ hidden, long }) => (hidden || !long ? [] : [long]))
  const [, letter] = /^-(\w)/.exec(word) ?? []
  if (letter !== undefined) return names.find((name) => name.startsWith(`--${letter}`))
  const [, meant = ''] = /^--([\w-]+)/.exec(word) ?? []
  return names.find((name) => name.endsWith(`-${meant}`)) ?? names.find((name) => name.startsWith(`--${meant}-`))
}

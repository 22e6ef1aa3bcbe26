import { type Command, CommanderError } from 'commander'
import { allOptions } from './check-options.ts'

/** Adds the most similar option to Commander's error for an unknown option; returns other errors unchanged. */
export function withOptionSuggestion(error: unknown, command: Command): unknown {
  if (!(error instanceof CommanderError) || error.code !== 'commander.unknownOption') return error
  const [, word] = /unknown option '([^']*)'$/.exec(error.message) ?? []
  const suggestion = word && suggestOption(word, command)
  return suggestion
    ? new CommanderError(error.exitCode, error.code, `${error.message}\n(Did you mean ${suggestion}?)`)
    : error
}

/** For a letter, the first option that starts with it; for a word, the first option that contains it: -m and --url. */
function suggestOption(word: string, command: Command): string | undefined {
  const names = allOptions(command).flatMap(({ hidden, long }) => (hidden || !long ? [] : [long]))
  const [, letter] = /^-(\w)/.exec(word) ?? []
  if (letter !== undefined) return names.find((name) => name.startsWith(`--${letter}`))
  const [, typed = ''] = /^--([\w-]+)/.exec(word) ?? []
  return names.find((name) => name.endsWith(`-${typed}`)) ?? names.find((name) => name.startsWith(`--${typed}-`))
}

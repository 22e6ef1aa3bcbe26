import type { Command } from '../command.ts'
import { allOptions } from './check-options.ts'
import { nearest } from './nearest.ts'

/**
 * Suggests an option for an unknown flag. For a letter such as -m, returns the first option that starts with the
 * letter. For a word, returns the most similar option, else an option that starts or ends with the word (`--url`), else
 * an option with which the word ends (`--apikey`). Returns undefined if no option matches.
 */
export function optionLike(flag: string, command: Command): string | undefined {
  const flags = new Map(
    allOptions(command).flatMap(({ hidden, long }) => (hidden || !long ? [] : [[wordOf(long), long] as const])),
  )
  const names = [...flags.keys()]
  const name = /^-\w/.test(flag)
    ? names.find((each) => each.startsWith(flag.charAt(1)))
    : nameLike(wordOf(flag).replace(/=.*/s, ''), names)
  return name === undefined ? undefined : flags.get(name)
}

const wordOf = (flag: string) => flag.replace(/^--(no-)?/, '')

function nameLike(word: string, names: readonly string[]): string | undefined {
  return (
    nearest(word, names) ??
    names.find((name) => name.endsWith(`-${word}`)) ??
    names.find((name) => name.startsWith(`${word}-`)) ??
    names.find((name) => word.endsWith(name))
  )
}

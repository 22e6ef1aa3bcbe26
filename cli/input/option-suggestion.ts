import type { Command } from '../command.ts'
import { allOptions } from './check-options.ts'
import { nearest } from './nearest.ts'

/**
 * The option that is most similar to an unknown one. If none is similar: for a letter the first option that starts with it, for a
 * word an option that contains it, or that it ends with: -m, --url, --apikey.
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

import type { Command } from '../command.ts'
import { allOptions } from './check-options.ts'
import { nearest } from './nearest.ts'

/**
 * The option that is most similar to an unknown one. If none is, for a letter the first option that starts with it, and for a word
 * the first option that contains it: -m and --url.
 */
export function optionLike(flag: string, command: Command): string | undefined {
  const names = allOptions(command).flatMap(({ hidden, long }) => (hidden || !long ? [] : [long]))
  const [, letter] = /^-(\w)/.exec(flag) ?? []
  if (letter !== undefined) return names.find((name) => name.startsWith(`--${letter}`))
  const word = flag.replace(/^--/, '')
  const similar = nearest(
    word,
    names.map((name) => name.slice('--'.length)),
  )
  if (similar !== undefined) return `--${similar}`
  return names.find((name) => name.endsWith(`-${word}`)) ?? names.find((name) => name.startsWith(`--${word}-`))
}

import type { Command, Option } from 'commander'
import type { Cli } from '../cli.ts'
import { shownOptions } from '../help/page.ts'
import { NOUNS } from '../nouns.ts'
import { printable } from '../printable.ts'
import { addNouns } from '../program.ts'
import { type Candidate, type Place, valuesOfArgument, valuesOfOption } from './values.ts'

/** A line that no word is like: the shell may offer files too. */
const FILES = ':files'

/**
 * Writes what may stand in the place of the last word, a candidate on each line, with a tab before what it means; `:files` where
 * the path of a file may stand. Only the noun that is named is loaded, and no gateway is asked.
 */
export async function complete(cli: Cli, program: Command, words: readonly string[]): Promise<void> {
  const last = words.at(-1) ?? ''
  // Bash has the sign between an option and its value as a word, also where the value is still to come.
  const typed = last === '=' ? '' : last
  const { candidates, files = false } = await placeOf(cli, program, words)
  for (const { word, meaning } of candidates) {
    if (word.startsWith(typed)) cli.write(meaning === undefined ? word : `${word}\t${printable(meaning)}`)
  }
  if (files) cli.write(FILES)
}

async function placeOf(cli: Cli, program: Command, words: readonly string[]): Promise<Place> {
  const typed = words.at(-1) ?? ''
  const { command, value, position } = await read(program, cli, words.slice(0, -1))
  const [, assigned] = /^(--[\w-]+)=/.exec(typed) ?? []
  if (assigned !== undefined) return assignedValues(cli, command, { flag: assigned })
  if (value) return valuesOfOption(cli, command, value)
  if (typed.startsWith('-')) return { candidates: flagsOf(command, cli) }
  if (command.commands.length === 0) return valuesOfArgument(cli, command, position)
  return { candidates: command.commands.map((verb) => ({ word: verb.name(), meaning: cli.text(verb.description()) })) }
}

/** What the words before say: the command, the option whose value comes next, or which argument does. */
async function read(program: Command, cli: Cli, words: readonly string[]) {
  let [command, position, value]: [Command, number, Option | undefined] = [program, 0, undefined]
  const noun = words.find((word) => NOUNS.some(({ name }) => name === word))
  await addNouns(program, cli, noun)
  for (const word of words) {
    if (value) {
      // Bash has the sign between an option and its value as a word.
      if (word !== '=') value = undefined
    } else if (word.startsWith('-')) {
      const option = optionsOf(command).find(({ short, long }) => word === short || word === long)
      value = option?.required ? option : undefined
    } else {
      const next = command.commands.find((each) => each.name() === word || each.aliases().includes(word))
      if (next) command = next
      else if (word !== 'help') position += 1
    }
  }
  return { command, position, value }
}

function optionsOf(command: Command): Option[] {
  return [...shownOptions(command), ...(command.parent ? optionsOf(command.parent) : [])]
}

function flagsOf(command: Command, cli: Cli): Candidate[] {
  return optionsOf(command).map(({ long, short, description }) => ({
    word: long ?? short ?? '',
    meaning: cli.text(description),
  }))
}

async function assignedValues(cli: Cli, command: Command, { flag }: { flag: string }): Promise<Place> {
  const option = optionsOf(command).find(({ long }) => long === flag)
  if (!option) return { candidates: [] }
  const { candidates, ...rest } = await valuesOfOption(cli, command, option)
  return { ...rest, candidates: candidates.map(({ word, ...each }) => ({ word: `${flag}=${word}`, ...each })) }
}

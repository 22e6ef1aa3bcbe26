import type { Command, Option } from 'commander'
import type { Cli } from '../cli.ts'
import { shownOptions } from '../help/page.ts'
import { NOUNS } from '../nouns.ts'
import { printable } from '../printable.ts'
import { addNouns } from '../program.ts'
import { type Candidate, valuesOfArgument, valuesOfOption } from './values.ts'

/**
 * Writes what may stand in the place of the last word, a candidate on each line, with a tab before what it means. Nothing is
 * written where anything may stand: the shell offers files then. Only the noun that is named is loaded, and no gateway is asked.
 */
export async function complete(cli: Cli, program: Command, words: readonly string[]): Promise<void> {
  const typed = words.at(-1) ?? ''
  const before = words.slice(0, -1)
  const { command, value, position } = await read(program, cli, before)
  const assigned = /^(--[\w-]+)=(.*)$/s.exec(typed)
  const candidates = assigned
    ? await assignedValues(cli, command, { flag: assigned[1] ?? '' })
    : value
      ? await valuesOfOption(cli, value)
      : typed.startsWith('-')
        ? flagsOf(command, cli)
        : command.commands.length > 0
          ? command.commands.map((verb) => ({ word: verb.name(), meaning: cli.text(verb.description()) }))
          : await valuesOfArgument(cli, command, position)
  for (const { word, meaning } of candidates) {
    if (word.startsWith(typed)) cli.write(meaning === undefined ? word : `${word}\t${printable(meaning)}`)
  }
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
      const next = command.commands.find((each) => each.name() === word)
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

async function assignedValues(cli: Cli, command: Command, { flag }: { flag: string }): Promise<Candidate[]> {
  const option = optionsOf(command).find(({ long }) => long === flag)
  const values = option ? await valuesOfOption(cli, option) : []
  return values.map(({ word, ...rest }) => ({ word: `${flag}=${word}`, ...rest }))
}

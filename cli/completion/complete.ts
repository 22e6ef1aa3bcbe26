import type { Option } from 'commander'
import type { Cli } from '../cli.ts'
import type { Command } from '../command.ts'
import { visibleOptions } from '../help/page.ts'
import { NOUNS } from '../nouns.ts'
import { sanitizeName } from '../output/sanitize.ts'
import { addNouns } from '../program.ts'
import { type CompletionCandidate, type Completions, valuesOfArgument, valuesOfOption } from './values.ts'

/** Output line that tells the shell to offer file names instead. No word can have this form. */
const FILES = ':files'

/**
 * Writes the candidates for the last word, one per line, with a tab before the description. Writes `:files` if the word
 * can be a path. Loads only the noun of the command. Calls no gateway: ids and names come from a file that a background
 * process refreshes.
 */
export async function complete(cli: Cli, program: Command, words: readonly string[]): Promise<void> {
  const last = words.at(-1) ?? ''
  // Bash passes the `=` between an option and its value as a word, also if no value follows yet.
  const typed = last === '=' ? '' : last
  const { candidates, files = false } = await completionsFor(cli, program, words)
  for (const { word, meaning } of candidates) {
    if (word.startsWith(typed)) cli.write(meaning === undefined ? word : `${word}\t${sanitizeName(meaning)}`)
  }
  if (files) cli.write(FILES)
}

async function completionsFor(cli: Cli, program: Command, words: readonly string[]): Promise<Completions> {
  const typed = words.at(-1) ?? ''
  const { command, value, position } = await parseWords(program, cli, words.slice(0, -1))
  readTarget(program, words.slice(0, -1))
  const [, assignedFlag] = /^(--[\w-]+)=/.exec(typed) ?? []
  if (assignedFlag !== undefined) return assignedValues(cli, command, { flag: assignedFlag, words })
  if (value) return valuesOfOption(cli, command, value, words)
  if (typed.startsWith('-')) return { candidates: flagsOf(command) }
  if (command.commands.length === 0) return valuesOfArgument(cli, command, position, words)
  return { candidates: command.commands.map((verb) => ({ word: verb.name(), meaning: verb.description() })) }
}

/** Returns the command of the words, the index of its next argument, and the last option if its value is missing. */
async function parseWords(program: Command, cli: Cli, words: readonly string[]) {
  let [command, position, value]: [Command, number, Option | undefined] = [program, 0, undefined]
  const noun = words.find((word) => NOUNS.some(({ name }) => name === word))
  await addNouns(program, cli, (name) => name === noun)
  for (const word of words) {
    if (value) {
      // Bash passes the `=` between an option and its value as a word.
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

/** Parses the flags that select the gateway, ignoring an unfinished line. */
function readTarget(program: Command, words: readonly string[]): void {
  try {
    program.parseOptions([...words])
  } catch {
    // The last flag may have no value yet.
  }
}

function optionsOf(command: Command): Option[] {
  return [...visibleOptions(command), ...(command.parent ? optionsOf(command.parent) : [])]
}

function flagsOf(command: Command): CompletionCandidate[] {
  return optionsOf(command).map(({ long, short, description }) => ({ word: long ?? short ?? '', meaning: description }))
}

async function assignedValues(
  cli: Cli,
  command: Command,
  { flag, words }: { flag: string; words: readonly string[] },
): Promise<Completions> {
  const option = optionsOf(command).find(({ long }) => long === flag)
  if (!option) return { candidates: [] }
  const { candidates, ...others } = await valuesOfOption(cli, command, option, words)
  return { ...others, candidates: candidates.map(({ word, ...each }) => ({ word: `${flag}=${word}`, ...each })) }
}

import type { Command, Option } from 'commander'
import type { Cli } from '../cli.ts'
import { wordsOf } from '../help/page.ts'

export interface Candidate {
  word: string
  meaning?: string
}

/** What can be known without asking a gateway: a Tab must not wait for one. */
const SOURCES = {
  async profiles(cli: Cli): Promise<Candidate[]> {
    const { LOCAL, readProfiles } = await import('../profiles.ts')
    const { profiles } = await readProfiles({ env: cli.env, texts: cli })
    const named = Object.entries(profiles).map(([word, { server }]) => ({ word, meaning: server }))
    return [...named, { word: LOCAL, meaning: cli.text('the database on this machine') }]
  },
  async optionKeys(): Promise<Candidate[]> {
    const { OPTIONS } = await import('../../core/options/registry.ts')
    return Object.entries(OPTIONS).map(([word, { description }]) => ({ word, meaning: description }))
  },
  async channelTypes(): Promise<Candidate[]> {
    const { CHANNEL_TYPES } = await import('../../core/channels/types.ts')
    return CHANNEL_TYPES.filter(({ hidden }) => !hidden).map(({ slug, name }) => ({ word: slug, meaning: name }))
  },
}

/** By the words of the command, or the noun alone, or for every command. */
const OF_OPTIONS: Readonly<Record<string, keyof typeof SOURCES>> = {
  '--profile': 'profiles',
  '--channel-type': 'channelTypes',
  'channel --type': 'channelTypes',
}
/** By noun and name of the argument. */
const OF_ARGUMENTS: Readonly<Record<string, keyof typeof SOURCES>> = {
  'channel type': 'channelTypes',
  'option key': 'optionKeys',
  'option keys': 'optionKeys',
  'option what': 'optionKeys',
  'profile name': 'profiles',
  'tollgate profile': 'profiles',
}

/** What an option or argument is called whose value is the path of a file. */
const PATHS = ['file', 'path']

/** What may stand in a place: words, or a file of this machine. */
export interface Place {
  candidates: Candidate[]
  files?: boolean
}

export async function valuesOfOption(cli: Cli, command: Command, option: Option): Promise<Place> {
  const { argChoices, flags, long = '' } = option
  if (argChoices) return { candidates: argChoices.map((word) => ({ word })) }
  if (PATHS.some((name) => flags.endsWith(`<${name}>`))) return { candidates: [], files: true }
  const source = entryOf(OF_OPTIONS, command, long)
  if (source) return { candidates: await SOURCES[source](cli) }
  const { WORDS } = await import('./words.ts')
  const words = (await entryOf(WORDS, command, long)?.()) ?? []
  return { candidates: words.map((word) => ({ word })) }
}

/** What is known of this option of this command, else of its noun, else of all. */
function entryOf<T>(table: Readonly<Record<string, T>>, command: Command, long: string): T | undefined {
  const [, noun, verb] = wordsOf(command).split(' ')
  return table[`${noun} ${verb} ${long}`] ?? table[`${noun} ${long}`] ?? table[long]
}

export async function valuesOfArgument(cli: Cli, command: Command, position: number): Promise<Place> {
  const declared = command.registeredArguments
  const argument = declared[position] ?? declared.findLast(({ variadic }) => variadic)
  if (!argument) return { candidates: [] }
  if (argument.argChoices) return { candidates: argument.argChoices.map((word) => ({ word })) }
  if (PATHS.includes(argument.name())) return { candidates: [], files: true }
  const source = OF_ARGUMENTS[`${command.parent?.name()} ${argument.name()}`]
  return { candidates: source ? await SOURCES[source](cli) : [] }
}

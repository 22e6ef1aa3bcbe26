import type { Option } from 'commander'
import type { Cli } from '../cli.ts'
import type { Command } from '../command.ts'
import { wordsOf } from '../help/page.ts'
import type { NameKind } from './known-names.ts'

export interface CompletionCandidate {
  word: string
  meaning?: string
}

/** Sources of values that need no gateway call, because completion must not wait for a gateway. */
const SOURCES = {
  async profiles(cli: Cli): Promise<CompletionCandidate[]> {
    const { LOCAL, readProfiles } = await import('../profiles.ts')
    const { profiles } = await readProfiles({ env: cli.env, texts: cli })
    const profileCandidates = Object.entries(profiles).map(([word, { server }]) => ({ word, meaning: server }))
    return [...profileCandidates, { word: LOCAL, meaning: cli.t('server.theDatabaseOnThisMachine') }]
  },
  async optionKeys(): Promise<CompletionCandidate[]> {
    const { OPTIONS } = await import('../../core/options/registry.ts')
    return Object.entries(OPTIONS).map(([word, { description }]) => ({ word, meaning: description }))
  },
  async channelTypes(): Promise<CompletionCandidate[]> {
    const { CHANNEL_TYPES } = await import('../../core/channels/types/types.ts')
    return CHANNEL_TYPES.filter(({ hidden }) => !hidden).map(({ slug, name }) => ({ word: slug, meaning: name }))
  },
}

/** Sources of option values. A key is a command and an option, a noun and an option, or only an option. */
const OF_OPTIONS: Readonly<Record<string, keyof typeof SOURCES>> = {
  '--profile': 'profiles',
  '--channel-type': 'channelTypes',
  'channel --type': 'channelTypes',
}
/** Sources of argument values by noun and argument name. */
const OF_ARGUMENTS: Readonly<Record<string, keyof typeof SOURCES>> = {
  'channel type': 'channelTypes',
  'option key': 'optionKeys',
  'option keys': 'optionKeys',
  'option what': 'optionKeys',
  'profile name': 'profiles',
  'tollgate profile': 'profiles',
}

/** Argument and option names whose value is a path. */
const PATHS = ['file', 'path']

/** Possible values. `files`: the value can be the path of a local file. */
export interface Place {
  candidates: CompletionCandidate[]
  files?: boolean
}

/** Options that accept ids or names of objects in the gateway. The keys are like those of `OF_OPTIONS`. */
const KNOWN_OPTIONS: Readonly<Record<string, NameKind>> = {
  '--channel': 'channels',
  '--group': 'groups',
  '--groups': 'groups',
  '--model': 'models',
  '--models': 'models',
  '--test-model': 'models',
  '--user': 'users',
}
/** Arguments that accept ids or names of objects in the gateway, by noun and argument name. */
const KNOWN_ARGUMENTS: Readonly<Record<string, NameKind>> = {
  'channel id': 'channels',
  'token id': 'tokens',
  'user name|id': 'users',
  'redemption id': 'codes',
  'group name': 'groups',
  'group names': 'groups',
  'pricing model': 'models',
  'pricing models': 'models',
}
const LIST_OPTIONS = ['--models', '--groups', '--columns']

/** Returns the possible values of an option. `words`: the whole line; the last word is being completed. */
export async function valuesOfOption(
  cli: Cli,
  command: Command,
  option: Option,
  words: readonly string[],
): Promise<Place> {
  const { argChoices, flags, long = '' } = option
  if (argChoices) return { candidates: argChoices.map((word) => ({ word })) }
  if (PATHS.some((name) => flags.endsWith(`<${name}>`))) return { candidates: [], files: true }
  const source = entryOf(OF_OPTIONS, command, long)
  if (source) return { candidates: await SOURCES[source](cli) }
  const { WORDS } = await import('./arguments.ts')
  const fixedWords = (await entryOf(WORDS, command, long)?.()) ?? []
  const typed = (words.at(-1) ?? '').replace(/^--[\w-]+=/, '')
  if (long === '--columns' || long === '--sort') {
    const { continueList } = await import('./continue-list.ts')
    const names = command.columnNames
    const choices = long === '--sort' ? [...names, ...names.map((name) => `-${name}`)] : continueList(typed, names)
    return { candidates: choices.map((word) => ({ word })) }
  }
  const kind = entryOf(KNOWN_OPTIONS, command, long)
  const storedNames = kind ? await (await import('./known-names.ts')).knownNames(cli, kind, words) : []
  const offeredWords = [
    ...fixedWords.map((word) => ({ word })),
    ...storedNames.filter(({ word }) => !fixedWords.includes(word)),
  ]
  if (!LIST_OPTIONS.includes(long) || !typed.includes(',')) return { candidates: offeredWords }
  const { continueList } = await import('./continue-list.ts')
  return {
    candidates: continueList(
      typed,
      offeredWords.map(({ word }) => word),
    ).map((word) => ({ word })),
  }
}

/** Returns the most specific entry for an option: for the command, else for its noun, else for all commands. */
function entryOf<T>(table: Readonly<Record<string, T>>, command: Command, long: string): T | undefined {
  const [, noun, verb] = wordsOf(command).split(' ')
  return table[`${noun} ${verb} ${long}`] ?? table[`${noun} ${long}`] ?? table[long]
}

export async function valuesOfArgument(
  cli: Cli,
  command: Command,
  position: number,
  words: readonly string[],
): Promise<Place> {
  const declared = command.registeredArguments
  const argument = declared[position] ?? declared.findLast(({ variadic }) => variadic)
  if (!argument) return { candidates: [] }
  if (argument.argChoices) return { candidates: argument.argChoices.map((word) => ({ word })) }
  if (PATHS.includes(argument.name())) return { candidates: [], files: true }
  const source = OF_ARGUMENTS[`${command.parent?.name()} ${argument.name()}`]
  if (source) return { candidates: await SOURCES[source](cli) }
  const [, noun, verb] = wordsOf(command).split(' ')
  // The name of a new object is not completed.
  const kind = verb === 'create' ? undefined : KNOWN_ARGUMENTS[`${noun} ${argument.name()}`]
  if (!kind) return { candidates: [] }
  const storedNames = await (await import('./known-names.ts')).knownNames(cli, kind, words)
  const givenWords = new Set(words.slice(0, -1))
  return { candidates: storedNames.filter(({ word }) => !givenWords.has(word)) }
}

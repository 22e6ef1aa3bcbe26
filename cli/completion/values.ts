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

type WordLoader = () => Promise<readonly string[]>

const labelsFrom =
  (load: () => Promise<Readonly<Record<string, number>>>): WordLoader =>
  async () =>
    (await import('../input/enum-labels.ts')).labelsOf(await load())

const userStates = labelsFrom(async () => (await import('../../core/actor.ts')).USER_STATUS)
const redemptionStates = labelsFrom(async () => (await import('../../core/redemption/status.ts')).REDEMPTION_STATUS)

/**
 * Loaders of words for options without Commander choices, such as options that also accept numbers. The keys are like
 * those of `OF_OPTIONS`.
 */
const WORDS: Readonly<Record<string, WordLoader>> = {
  // Offers only the group that always exists. The names of other groups would need a call to the gateway.
  '--group': async () => ['default'],
  'channel list --status': labelsFrom(async () => (await import('../../core/channels/channel.ts')).CHANNEL_STATUS),
  'log --type': labelsFrom(async () => (await import('../../core/logs/log.ts')).LOG_TYPE),
  'option --area': async () => (await import('../columns/option.ts')).optionAreas(),
  'redemption list --status': redemptionStates,
  'redemption export --status': async () => [...(await redemptionStates()), 'all'],
  'user create --role': async () => ['common', 'admin'],
  'user --role': labelsFrom(async () => (await import('../../core/actor.ts')).ROLE),
  'user --status': async () => [...(await userStates()), 'deleted'],
  'wallet orders --status': async () => ['pending', 'success'],
  'wallet top-up --method': async () => ['alipay', 'wechat'],
  'wallet callbacks --verdict': async () => (await import('../../core/wallet/schema.ts')).VERDICTS,
  'task list --status': async () => ['NOT_START', 'SUBMITTED', 'IN_PROGRESS', 'FAILURE', 'SUCCESS'],
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

/** Possible words at a place of the command line. `files`: the word can also be the path of a local file. */
export interface Completions {
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
): Promise<Completions> {
  const { argChoices, flags, long = '' } = option
  if (argChoices) return { candidates: argChoices.map((word) => ({ word })) }
  if (PATHS.some((name) => flags.endsWith(`<${name}>`))) return { candidates: [], files: true }
  const source = entryOf(OF_OPTIONS, command, long)
  if (source) return { candidates: await SOURCES[source](cli) }
  const fixedWords = (await entryOf(WORDS, command, long)?.()) ?? []
  const typed = (words.at(-1) ?? '').replace(/^--[\w-]+=/, '')
  if (long === '--columns' || long === '--sort') {
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
): Promise<Completions> {
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

/** Returns the typed comma list with each name that can replace its last name: for `id,na`, one result is `id,name`. */
function continueList(typed: string, names: readonly string[]): string[] {
  const before = typed.slice(0, typed.lastIndexOf(',') + 1)
  const typedNames = before.split(',')
  return names.filter((name) => !typedNames.includes(name)).map((name) => before + name)
}

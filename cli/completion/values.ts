import type { Command, Option } from 'commander'
import type { Cli } from '../cli.ts'

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

const OF_OPTIONS: Readonly<Record<string, keyof typeof SOURCES>> = {
  '--profile': 'profiles',
  '--type': 'channelTypes',
  '--channel-type': 'channelTypes',
}
/** By noun and name of the argument. */
const OF_ARGUMENTS: Readonly<Record<string, keyof typeof SOURCES>> = {
  'option key': 'optionKeys',
  'option name': 'optionKeys',
  'profile name': 'profiles',
}

export async function valuesOfOption(cli: Cli, { argChoices, long }: Option): Promise<Candidate[]> {
  if (argChoices) return argChoices.map((word) => ({ word }))
  const source = OF_OPTIONS[long ?? '']
  return source ? SOURCES[source](cli) : []
}

export async function valuesOfArgument(cli: Cli, command: Command, position: number): Promise<Candidate[]> {
  const declared = command.registeredArguments
  const argument = declared[position] ?? declared.findLast(({ variadic }) => variadic)
  if (!argument) return []
  if (argument.argChoices) return argument.argChoices.map((word) => ({ word }))
  const source = OF_ARGUMENTS[`${command.parent?.name()} ${argument.name()}`]
  return source ? SOURCES[source](cli) : []
}

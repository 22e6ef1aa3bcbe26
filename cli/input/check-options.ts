import type { Option } from 'commander'
import type { Cli, GlobalFlags } from '../cli.ts'
import type { Command } from '../command.ts'
import { usageError } from '../errors.ts'
import { wordsOf } from '../help/page.ts'
import { LOCAL } from '../profiles.ts'

/*
 * Rejects input that Commander silently accepts: flags without effect, and an option as the value of another option.
 */

type TargetFlag = Extract<keyof GlobalFlags, 'server' | 'profile' | 'database'>
const ALL_TARGETS: readonly TargetFlag[] = ['server', 'profile', 'database']
const SERVER_FLAGS: readonly TargetFlag[] = ['server', 'profile']

/** Flags without effect, by noun. Targets from profiles or variables are not rejected. */
const USELESS: Readonly<Record<string, readonly TargetFlag[]>> = {
  serve: SERVER_FLAGS,
  init: SERVER_FLAGS,
  demo: ALL_TARGETS,
  login: ALL_TARGETS,
  logout: ALL_TARGETS,
  profile: ALL_TARGETS,
  completion: ALL_TARGETS,
}

/** Flags that change JSON output. Commands that print lines one by one, or no JSON, reject these flags. */
const VIEWS = ['fields', 'jq', 'template', 'envelope'] as const
const WITHOUT_VIEWS = /^tollgate (serve|demo|chat|ui|completion)\b| (export|tail)$/

function rejectUselessViews(
  { t }: Pick<Cli, 't'>,
  { command, given, hasOutput }: { command: string; given: GlobalFlags; hasOutput: boolean },
): void {
  const viewFlag = VIEWS.find((flag) => given[flag] !== undefined)
  if (viewFlag === undefined) return
  if (WITHOUT_VIEWS.test(command)) throw usageError(t('program.doesNotAccept', { command, flag: viewFlag }))
  if (hasOutput) throw usageError(t('program.passEitherOutput', { flag: viewFlag }))
  if (given.jq !== undefined && given.template !== undefined) throw usageError(t('program.passEitherJqOrTemplate'))
}

/** Throws a usage error for a flag without effect on this command. */
export function checkUselessFlags({ t }: Pick<Cli, 't'>, command: Command, commandLine: readonly string[]): void {
  const words = wordsOf(command)
  const given = command.optsWithGlobals<GlobalFlags>()
  // The command's own options are not parsed yet, so `--output` is searched in the words.
  const hasOutput = commandLine.some((word) => word === '--output' || word.startsWith('--output='))
  rejectUselessViews({ t }, { command: words, given, hasOutput })
  for (const flag of USELESS[words.split(' ')[1] ?? ''] ?? []) {
    // `--profile local` is accepted, because it selects no server.
    if (given[flag] === undefined || (flag === 'profile' && given.profile === LOCAL)) continue
    throw usageError(t('program.doesNotAccept', { command: words, flag }))
  }
}

/** Throws a usage error if an option is where the value of another option belongs, as after an empty shell variable. */
export function checkOptionsAsValues({ t }: Pick<Cli, 't'>, command: Command, words: readonly string[]): void {
  const options = allOptions(command)
  for (let index = 0; index < words.length && words[index] !== '--'; index += 1) {
    const option = options.find(({ short, long }) => words[index] === short || words[index] === long)
    if (!option?.required) continue
    index += 1
    const value = words[index]
    if (!value?.startsWith('--')) continue
    throw usageError(t('program.needsAValue', { option: option.long, value }))
  }
}

/** Returns the command's own options, then those of its parents. */
export function allOptions(command: Command): Option[] {
  return [...command.options, ...(command.parent ? allOptions(command.parent) : [])]
}

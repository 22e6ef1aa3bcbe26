import type { Command, Option } from 'commander'
import type { Cli, GlobalFlags } from '../cli.ts'
import { usageError } from '../errors.ts'
import { wordsOf } from '../help/page.ts'
import { LOCAL } from '../profiles.ts'

/*
 * Rejects what Commander silently accepts: flags without effect, and an option as the value of another.
 */

type Which = Extract<keyof GlobalFlags, 'server' | 'profile' | 'database'>
const EACH: readonly Which[] = ['server', 'profile', 'database']
const OF_A_SERVER: readonly Which[] = ['server', 'profile']

/** Flags without effect, by noun. Targets from profiles or variables are not rejected. */
const USELESS: Readonly<Record<string, readonly Which[]>> = {
  serve: OF_A_SERVER,
  init: OF_A_SERVER,
  demo: EACH,
  login: EACH,
  logout: EACH,
  profile: EACH,
  completion: EACH,
}

/** JSON views. Some commands print lines as they arrive, or no JSON. */
const VIEWS = ['fields', 'jq', 'template', 'envelope'] as const
const WITHOUT_VIEWS = /^tollgate (serve|demo|chat|ui|completion)\b| (export|tail)$/

function refuseUselessViews(
  { say }: Pick<Cli, 'say'>,
  { command, given, hasOutput }: { command: string; given: GlobalFlags; hasOutput: boolean },
): void {
  const first = VIEWS.find((flag) => given[flag] !== undefined)
  if (first === undefined) return
  if (WITHOUT_VIEWS.test(command)) throw usageError(say`${command} does not accept --${first}: omit it`)
  if (hasOutput) throw usageError(say`pass either --output or --${first}, not both`)
  if (given.jq !== undefined && given.template !== undefined)
    throw usageError(say`pass either --jq or --template, not both`)
}

/** Throws a usage error for a flag without effect on this command. */
export function checkUselessFlags({ say }: Pick<Cli, 'say'>, command: Command, commandLine: readonly string[]): void {
  const words = wordsOf(command)
  const given = command.optsWithGlobals<GlobalFlags>()
  // The command's own options are not parsed yet.
  const hasOutput = commandLine.some((word) => word === '--output' || word.startsWith('--output='))
  refuseUselessViews({ say }, { command: words, given, hasOutput })
  for (const flag of USELESS[words.split(' ')[1] ?? ''] ?? []) {
    // `--profile local` matches the actual behavior.
    if (given[flag] === undefined || (flag === 'profile' && given.profile === LOCAL)) continue
    throw usageError(say`${words} does not accept --${flag}: omit it`)
  }
}

/** Throws a usage error if an option follows one that needs a value, as happens with an empty shell variable. */
export function checkOptionsAsValues({ say }: Pick<Cli, 'say'>, command: Command, words: readonly string[]): void {
  const options = allOptions(command)
  for (let at = 0; at < words.length && words[at] !== '--'; at += 1) {
    const option = options.find(({ short, long }) => words[at] === short || words[at] === long)
    if (!option?.required) continue
    at += 1
    const value = words[at]
    if (!value?.startsWith('--')) continue
    throw usageError(
      say`${option.long} needs a value, not ${value} (pass a value that starts with -- as ${option.long}=…)`,
    )
  }
}

/** The command's own options, then those of its parents. */
export function allOptions(command: Command): Option[] {
  return [...command.options, ...(command.parent ? allOptions(command.parent) : [])]
}

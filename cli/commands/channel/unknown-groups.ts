import type { Actor } from '../../../core/actor.ts'
import { GatewayError } from '../../../core/errors.ts'
import { DEFAULT_GROUP } from '../../../core/groups/groups.ts'
import { commaList } from '../../../core/input.ts'
import type { Cli } from '../../cli.ts'
import type { CommandToolkit } from '../../toolkit.ts'

/** Warns about misspelled groups now: no user would ever reach such a channel. */
export async function warnOfUnknownGroups(
  cli: Cli,
  { toolkit, actor }: { toolkit: CommandToolkit; actor: Actor },
  given: readonly (string | null | undefined)[],
): Promise<void> {
  const named = new Set(given.flatMap((groups) => commaList(groups ?? '')))
  named.delete(DEFAULT_GROUP)
  if (named.size === 0) return
  const known = await groupsOf(toolkit, actor)
  for (const { name } of known ?? []) named.delete(name)
  if (!known || named.size === 0) return
  const [first] = named
  cli.note(cli.t('channel.warningNoSuchGroupCreate', { value: [...named].join(', '), first }))
}

/** Undefined if a management key may change channels but not read groups: then the command does not warn. */
async function groupsOf(toolkit: CommandToolkit, actor: Actor): Promise<readonly { name: string }[] | undefined> {
  try {
    return await toolkit.groups.list(actor)
  } catch (error) {
    if (error instanceof GatewayError) return undefined
    throw error
  }
}

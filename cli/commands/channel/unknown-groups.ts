import type { Actor } from '../../../core/actor.ts'
import { GatewayError } from '../../../core/errors.ts'
import { DEFAULT_GROUP } from '../../../core/groups/groups.ts'
import { commaList } from '../../../core/input.ts'
import type { Cli } from '../../cli.ts'
import type { CommandToolkit } from '../../toolkit.ts'

/** Warns about groups that do not exist, which may be misspelled. No user can use a channel of such a group. */
export async function warnOfUnknownGroups(
  cli: Cli,
  { toolkit, actor }: { toolkit: CommandToolkit; actor: Actor },
  given: readonly (string | null | undefined)[],
): Promise<void> {
  const unknownNames = new Set(given.flatMap((groups) => commaList(groups ?? '')))
  unknownNames.delete(DEFAULT_GROUP)
  if (unknownNames.size === 0) return
  const existingGroups = await groupsOf(toolkit, actor)
  for (const { name } of existingGroups ?? []) unknownNames.delete(name)
  if (!existingGroups || unknownNames.size === 0) return
  const [first] = unknownNames
  cli.note(cli.t('channel.warningNoSuchGroupCreate', { groups: [...unknownNames].join(', '), group: first }))
}

/** Returns all groups; undefined if the actor may not read groups. The command then does not warn. */
async function groupsOf(toolkit: CommandToolkit, actor: Actor): Promise<readonly { name: string }[] | undefined> {
  try {
    return await toolkit.groups.list(actor)
  } catch (error) {
    if (error instanceof GatewayError) return undefined
    throw error
  }
}

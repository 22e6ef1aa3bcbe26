import type { Actor } from '../../core/actor.ts'
import { GatewayError } from '../../core/errors.ts'
import type { CommandToolkit } from '../toolkit.ts'

/** The price ratio of a group that the actor may use; 1 without a group. Throws GROUP_NOT_FOUND. */
export async function ratioOfGroup(
  { groups }: Pick<CommandToolkit, 'groups'>,
  actor: Actor,
  group: string | undefined,
): Promise<number> {
  if (group === undefined) return 1
  const found = (await groups.list(actor)).find(({ name }) => name === group)
  if (!found) throw new GatewayError('GROUP_NOT_FOUND', { group })
  return found.ratio
}

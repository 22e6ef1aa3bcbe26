import type { Accounts } from '../../accounts/accounts.ts'
import type { Actor } from '../../actor.ts'
import { usableGroupNames } from '../../groups/groups.ts'
import type { Options } from '../../options/options.ts'
import type { ChannelDirectory } from './directory.ts'

/** Returns the names of all models that enabled channels serve for the groups that the actor may use, sorted. */
export async function usableModels(
  { accounts, options, directory }: { accounts: Accounts; options: Options; directory: ChannelDirectory },
  actor: Actor,
): Promise<string[]> {
  const { group } = await accounts.get(actor, actor.id)
  const groups = usableGroupNames(options, group)
  return [...new Set(groups.flatMap((name) => directory.models(name)))].sort()
}

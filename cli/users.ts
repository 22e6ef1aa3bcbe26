import type { Actor } from '../core/actor.ts'
import type { CommandToolkit } from './toolkit.ts'

/** The id of a user whom somebody names by id or by name. Throws USER_NOT_FOUND. */
export async function userIdOf(
  { accounts }: Pick<CommandToolkit, 'accounts'>,
  actor: Actor,
  nameOrId: string,
): Promise<number> {
  const { id } = /^\d{1,9}$/.test(nameOrId)
    ? await accounts.get(actor, Number(nameOrId))
    : await accounts.getByName(actor, nameOrId)
  return id
}

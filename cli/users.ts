import type { User } from '../core/accounts/user.ts'
import type { Actor } from '../core/actor.ts'
import { GatewayError } from '../core/errors.ts'
import type { CommandToolkit } from './toolkit.ts'

/** Page size of a search: the API's maximum, so that few calls are needed. */
const PAGE_SIZE = 1000

type Accounts = Pick<CommandToolkit, 'accounts'>

/** Returns the id of the user with this id or name. Throws USER_NOT_FOUND. */
export async function userIdOf(toolkit: Accounts, actor: Actor, nameOrId: string): Promise<number> {
  return (await userOf(toolkit, actor, nameOrId)).id
}

/** Finds a user by id or name. A name of digits matches if no user has that id. Throws USER_NOT_FOUND, LEVEL_READ. */
export async function userOf({ accounts }: Accounts, actor: Actor, nameOrId: string): Promise<User> {
  if (!isId(nameOrId)) return accounts.getByName(actor, nameOrId)
  try {
    return await accounts.get(actor, Number(nameOrId))
  } catch (error) {
    if (!isMissing(error)) throw error
    return accounts.getByName(actor, nameOrId).catch(() => {
      throw error
    })
  }
}

/** Finds a user like `userOf`. Also finds deleted users, by id only. */
export async function userOrDeleted(toolkit: Accounts, actor: Actor, nameOrId: string): Promise<User> {
  try {
    return await userOf(toolkit, actor, nameOrId)
  } catch (error) {
    if (!isMissing(error) || !isId(nameOrId)) throw error
    const user = await deletedUser(toolkit, actor, nameOrId)
    if (!user) throw error
    return user
  }
}

/** Finds a deleted user by id. Reads all pages, because many names may contain the digits of the id. */
async function deletedUser({ accounts }: Accounts, actor: Actor, id: string): Promise<User | undefined> {
  for (let page = 1; ; page += 1) {
    const { items, total } = await accounts.list(actor, { keyword: id, deleted: true, page, pageSize: PAGE_SIZE })
    const user = items.find((each) => each.id === Number(id))
    if (user || items.length === 0 || page * PAGE_SIZE >= total) return user
  }
}

export const isId = (text: string): boolean => /^\d{1,9}$/.test(text)
const isMissing = (error: unknown): boolean => error instanceof GatewayError && error.code === 'USER_NOT_FOUND'

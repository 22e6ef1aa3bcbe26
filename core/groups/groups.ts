import type { Knex } from 'knex'
import { type Actor, ROLE, requireRole, USER_KIND } from '../actor.ts'
import type { Database } from '../db/database.ts'
import { GatewayError } from '../errors.ts'
import type { Options } from '../options/options.ts'
import { OPTIONS } from '../options/registry.ts'
import type { Group } from './schema.ts'

interface UsableGroup {
  ratio: number
  desc: string
}

export interface Groups {
  /** Returns the names of all groups. Administrators only. */
  names(actor: Actor): string[]
  /** Returns the groups that the actor may use. Administrators get all, with counts of users, tokens and channels. */
  list(actor: Actor): Promise<Group[]>
  /**
   * Returns the groups that the actor may use and that have a price multiplier, by name. Without an actor, returns the
   * groups that users of the default group may use.
   */
  usableBy(actor: Actor | undefined): Promise<Record<string, UsableGroup>>
}

/** The group of users without another group, and of clients that are not signed in. */
export const DEFAULT_GROUP = 'default'
const OWN_GROUP_DESCRIPTION = '用户分组'

/** Returns whether users of `userGroup` may use `requestedGroup`: their own group, or a group that all may choose. */
export function mayUseGroup(
  options: Options,
  { userGroup, requestedGroup }: { userGroup: string; requestedGroup: string },
): boolean {
  return requestedGroup === userGroup || Object.hasOwn(options.get(OPTIONS.UserUsableGroups), requestedGroup)
}

/** Returns whether a group exists, which means that it has a price multiplier. */
export function groupExists(options: Options, group: string): boolean {
  return Object.hasOwn(options.get(OPTIONS.GroupRatio), group)
}

/** Returns an existing group. The default group always exists, even without a multiplier. Throws GROUP_NOT_FOUND. */
export function requireGroup(options: Options, group: string): string {
  if (group !== DEFAULT_GROUP && !groupExists(options, group)) throw new GatewayError('GROUP_NOT_FOUND', { group })
  return group
}

/** Returns descriptions of the groups that `mayUseGroup` allows. */
export function groupDescriptions(options: Options, userGroup = DEFAULT_GROUP): Readonly<Record<string, string>> {
  const selectable = options.get(OPTIONS.UserUsableGroups)
  return Object.hasOwn(selectable, userGroup) ? selectable : { ...selectable, [userGroup]: OWN_GROUP_DESCRIPTION }
}

/** Returns the names of the groups that `mayUseGroup` allows. */
export function usableGroupNames(options: Options, userGroup = DEFAULT_GROUP): string[] {
  return Object.keys(groupDescriptions(options, userGroup))
}

/** Returns the price multipliers of the groups that `mayUseGroup` allows. */
export function groupRatios(options: Options, userGroup = DEFAULT_GROUP): Record<string, number> {
  const usable = Object.entries(options.get(OPTIONS.GroupRatio)).filter(([requestedGroup]) =>
    mayUseGroup(options, { userGroup, requestedGroup }),
  )
  return Object.fromEntries(usable)
}

/** Number of rows per group. */
type GroupCounts = ReadonlyMap<string, number>

export function createGroups({ db, options }: { db: Database; options: Options }): Groups {
  async function countByGroup(query: Knex.QueryBuilder): Promise<GroupCounts> {
    const rows: { group: string; count: number | string }[] = await query
      .select('group')
      .count({ count: '*' })
      .groupBy('group')
    return new Map(rows.map(({ group, count }) => [group, Number(count)]))
  }

  /** Counts users, tokens and channels per group, with one query each. A channel counts once, not once per model. */
  async function countMembers(): Promise<{ users: GroupCounts; tokens: GroupCounts; channels: GroupCounts }> {
    const pairs = db.reader('abilities').distinct('group', 'channel_id').as('pairs')
    const [users, tokens, channels] = await Promise.all([
      countByGroup(db.reader('users').where({ kind: USER_KIND.person }).whereNull('deleted_at')),
      countByGroup(db.reader('tokens').whereNull('deleted_at')),
      countByGroup(db.reader.queryBuilder().from(pairs)),
    ])
    return { users, tokens, channels }
  }

  const groups: Groups = {
    names(actor) {
      requireRole(actor, ROLE.admin)
      return Object.keys(options.get(OPTIONS.GroupRatio))
    },
    async list(actor) {
      const selectable = options.get(OPTIONS.UserUsableGroups)
      if (actor.role < ROLE.admin) {
        const usable = Object.entries(await groups.usableBy(actor))
        return usable.map(([name, group]) => ({ name, ...group, selectable: Object.hasOwn(selectable, name) }))
      }
      const { users, tokens, channels } = await countMembers()
      return Object.entries(options.get(OPTIONS.GroupRatio)).map(([name, ratio]) => ({
        name,
        ratio,
        desc: (Object.hasOwn(selectable, name) && selectable[name]) || '',
        selectable: Object.hasOwn(selectable, name),
        users: users.get(name) ?? 0,
        tokens: tokens.get(name) ?? 0,
        channels: channels.get(name) ?? 0,
      }))
    },
    async usableBy(actor) {
      const user = actor && (await db.reader('users').where({ id: actor.id }).first('group'))
      const descriptions = groupDescriptions(options, user?.group)
      const usable = Object.entries(groupRatios(options, user?.group))
      return Object.fromEntries(usable.map(([name, ratio]) => [name, { ratio, desc: descriptions[name] ?? '' }]))
    },
  }
  return groups
}

import type { Knex } from 'knex'
import { type Actor, ROLE, requireRole, USER_KIND } from '../actor.ts'
import type { Database } from '../db/database.ts'
import { GatewayError } from '../errors.ts'
import type { Options } from '../options/options.ts'
import { OPTIONS } from '../options/registry.ts'
import type { Group } from './schema.ts'

export interface UsableGroup {
  ratio: number
  desc: string
}

export interface Groups {
  /** All groups, for administrators. */
  names(actor: Actor): string[]
  /** For administrators all groups with their numbers of uses; for others the groups that they may use. */
  list(actor: Actor): Promise<Group[]>
  /** The existing groups that a user may use, by name; undefined: a visitor. */
  usableBy(actor: Actor | undefined): Promise<Record<string, UsableGroup>>
}

/** The group of visitors, and of users without another group. */
export const DEFAULT_GROUP = 'default'
const OWN_GROUP = '用户分组'

/** Whether a user of the group `own` may use the group `wanted`: the own group, or one that all may choose. */
export function mayUseGroup(options: Options, { own, wanted }: { own: string; wanted: string }): boolean {
  return wanted === own || Object.hasOwn(options.get(OPTIONS.UserUsableGroups), wanted)
}

/** Whether a group has a price multiplier. */
export function groupExists(options: Options, group: string): boolean {
  return Object.hasOwn(options.get(OPTIONS.GroupRatio), group)
}

/** Throws GROUP_NOT_FOUND. The default group needs no multiplier, since users without another group are in it. */
export function requireGroup(options: Options, group: string): string {
  if (group !== DEFAULT_GROUP && !groupExists(options, group)) throw new GatewayError('GROUP_NOT_FOUND', { group })
  return group
}

/** Returns descriptions of the groups that `mayUseGroup` allows. */
export function groupDescriptions(options: Options, own = DEFAULT_GROUP): Readonly<Record<string, string>> {
  const selectable = options.get(OPTIONS.UserUsableGroups)
  return Object.hasOwn(selectable, own) ? selectable : { ...selectable, [own]: OWN_GROUP }
}

/** Returns the names of the groups that `mayUseGroup` allows. */
export function usableGroupNames(options: Options, own = DEFAULT_GROUP): string[] {
  return Object.keys(groupDescriptions(options, own))
}

/** Returns the price multipliers of the existing groups that `mayUseGroup` allows. */
export function groupRatios(options: Options, own = DEFAULT_GROUP): Record<string, number> {
  const usable = Object.entries(options.get(OPTIONS.GroupRatio)).filter(([wanted]) =>
    mayUseGroup(options, { own, wanted }),
  )
  return Object.fromEntries(usable)
}

/** Number of rows per group. */
type Count = ReadonlyMap<string, number>

export function createGroups({ db, options }: { db: Database; options: Options }): Groups {
  async function count(query: Knex.QueryBuilder, counted = '*'): Promise<Count> {
    const rows: { group: string; count: number | string }[] = await query
      .select('group')
      .count({ count: counted })
      .groupBy('group')
    return new Map(rows.map(({ group, count }) => [group, Number(count)]))
  }

  /** Counts all groups with one query per table. A channel has an ability for each of its models. */
  async function uses(): Promise<{ users: Count; tokens: Count; channels: Count }> {
    const pairs = db.reader('abilities').distinct('group', 'channel_id').as('pairs')
    const [users, tokens, channels] = await Promise.all([
      count(db.reader('users').where({ kind: USER_KIND.person }).whereNull('deleted_at')),
      count(db.reader('tokens').whereNull('deleted_at')),
      count(db.reader.queryBuilder().from(pairs)),
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
        return usable.map(([name, of]) => ({ name, ...of, selectable: Object.hasOwn(selectable, name) }))
      }
      const { users, tokens, channels } = await uses()
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

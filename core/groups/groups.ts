import { type Actor, ROLE, requireRole } from '../actor.ts'
import type { Database } from '../db/database.ts'
import type { Options } from '../options/options.ts'
import { OPTIONS } from '../options/registry.ts'

export interface UsableGroup {
  ratio: number
  desc: string
}

export interface Groups {
  /** Names of all groups, for administrators. */
  names(actor: Actor): string[]
  /** The existing groups that somebody may use, by name; undefined: a visitor. */
  usableBy(actor: Actor | undefined): Promise<Record<string, UsableGroup>>
}

/** What a visitor's group is called, and where a user is without another. */
const DEFAULT_GROUP = 'default'
const OWN_GROUP = '用户分组'

/** Whether somebody of the group `own` may use another: what everybody may choose, and always the own one. */
export function mayUseGroup(options: Options, { own, wanted }: { own: string; wanted: string }): boolean {
  return wanted === own || Object.hasOwn(options.get(OPTIONS.UserUsableGroups), wanted)
}

/** Whether a group still has a price. */
export function groupExists(options: Options, group: string): boolean {
  return Object.hasOwn(options.get(OPTIONS.GroupRatio), group)
}

/** What the groups that `mayUseGroup` allows are called. */
export function groupDescriptions(options: Options, own = DEFAULT_GROUP): Readonly<Record<string, string>> {
  const selectable = options.get(OPTIONS.UserUsableGroups)
  return Object.hasOwn(selectable, own) ? selectable : { ...selectable, [own]: OWN_GROUP }
}

/** The names of the groups that `mayUseGroup` allows. */
export function usableGroupNames(options: Options, own = DEFAULT_GROUP): string[] {
  return Object.keys(groupDescriptions(options, own))
}

/** The price multipliers of the groups that `mayUseGroup` allows, as far as they exist. */
export function groupRatios(options: Options, own = DEFAULT_GROUP): Record<string, number> {
  const usable = Object.entries(options.get(OPTIONS.GroupRatio)).filter(([wanted]) =>
    mayUseGroup(options, { own, wanted }),
  )
  return Object.fromEntries(usable)
}

export function createGroups({ db, options }: { db: Database; options: Options }): Groups {
  return {
    names(actor) {
      requireRole(actor, ROLE.admin)
      return Object.keys(options.get(OPTIONS.GroupRatio))
    },
    async usableBy(actor) {
      const user = actor && (await db.reader('users').where({ id: actor.id }).first('group'))
      const descriptions = groupDescriptions(options, user?.group)
      const usable = Object.entries(groupRatios(options, user?.group))
      return Object.fromEntries(usable.map(([name, ratio]) => [name, { ratio, desc: descriptions[name] ?? '' }]))
    },
  }
}

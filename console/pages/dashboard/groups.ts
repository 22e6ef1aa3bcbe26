import type { TFunction } from 'i18next'
import type { Dashboard, Grouping, UsageGroup } from '../../api/dashboard.ts'
import type { HourlyUsage } from './usage-series.ts'

/** A group with a unique display name. */
interface NamedGroup extends UsageGroup {
  /** Unique among the groups. */
  displayName: string
  isOther: boolean
}

/** Gives groups unique display names. Tokens can have equal names; the group of all other names has an empty name. */
export function nameGroups(t: TFunction, { groups, by, group_count }: Dashboard): NamedGroup[] {
  const labels = groups.map(({ label }) => label)
  return groups.map((group) => {
    const isOther = group.name === ''
    const isDuplicate = labels.filter((label) => label === group.label).length > 1
    const isNamed = by !== 'model' && by !== 'group' && group.label === group.name
    const label = isDuplicate || isNamed ? `${isNamed ? '' : `${group.label} `}#${group.name}` : group.label
    return { ...group, isOther, displayName: isOther ? t(`dashboard.others.${by}`, { count: group_count }) : label }
  })
}

/** Converts the dashboard's series to rows with the groups' display names. */
export function usageRowsOf({ series }: Dashboard, groups: readonly NamedGroup[]): HourlyUsage[] {
  return series.map(({ hour, group, count, quota, tokens }) => ({
    model_name: groups[group]?.displayName ?? '',
    created_at: hour,
    count,
    quota,
    token_used: tokens,
  }))
}

export interface DashboardSpan {
  /** Unix seconds. Both times belong to the span. */
  from: number
  to: number
}

/** Selects the relays that the log shows. Without user and team, the log shows all relays that the user may see. */
export interface LogScope {
  username?: string
  team?: number
  /** The member of the team; empty or absent for all members. */
  member?: string
}

/** Returns the path of the log page for a time span, and for one group or log type if given. */
export function logPath(
  { from, to }: DashboardSpan,
  {
    by,
    group,
    type,
    ...scope
  }: { by?: Grouping; group?: Pick<UsageGroup, 'name' | 'label'>; type?: number } & LogScope = {},
): string {
  const { username, team, member } = scope
  const query = new URLSearchParams({ ...(team !== undefined && { tab: 'log' }), from: String(from), to: String(to) })
  if (member) query.set('member', member)
  if (username) query.set('username', username)
  if (type !== undefined) query.set('type', String(type))
  if (by && group && group.name !== '')
    query.set(FILTER_OF[by], by === 'user' || by === 'token' ? group.label : group.name)
  return team === undefined ? `/log?${query}` : `/team/${team}?${query}`
}

const FILTER_OF: Record<Grouping, string> = {
  model: 'model_name',
  user: 'username',
  member: 'member',
  token: 'token_name',
  channel: 'channel',
  group: 'group',
}

import { CHANNEL_STATUS, type Channel } from '../../api/channels.ts'

/** All channels of a tag, as one row above them. */
export interface TagRow {
  tag: string
  /** Of all of them; the rows below are the first. */
  count: number
  enabled: number
  groups: string[]
  types: number[]
  /** Milliseconds, the mean of those that were tested; 0 for none. */
  response_time: number
  used_quota: number
  /** What all have; undefined where they differ. */
  priority: number | undefined
  weight: number | undefined
  children: Channel[]
  /** The ids of all of them. */
  ids: number[]
}

export type Row = Channel | TagRow

/** A tag may have thousands: the table shows so many, and a link leads to all of them. */
export const CHILDREN_MAX = 50

export const isTag = (row: Row): row is TagRow => 'children' in row

export const rowKeyOf = (row: Row): string | number => (isTag(row) ? `tag:${row.tag}` : row.id)

export const groupsOf = ({ group }: Pick<Channel, 'group'>): string[] => group.split(',').filter((name) => name !== '')

/** The channels below their tags, in the order of the tags' names. */
export function byTag(channels: readonly Channel[]): TagRow[] {
  const tags = new Map<string, Channel[]>()
  for (const channel of channels) {
    const tag = channel.tag ?? ''
    const members = tags.get(tag)
    if (members) members.push(channel)
    else tags.set(tag, [channel])
  }
  return [...tags].map(([tag, members]) => gathered(tag, members)).sort((a, b) => (a.tag < b.tag ? -1 : 1))
}

function gathered(tag: string, members: readonly Channel[]): TagRow {
  const tested = members.filter(({ response_time }) => response_time > 0)
  return {
    tag,
    count: members.length,
    enabled: members.filter(({ status }) => status === CHANNEL_STATUS.enabled).length,
    groups: [...new Set(members.flatMap(groupsOf))],
    types: [...new Set(members.map(({ type }) => type))],
    response_time: Math.round(sum(tested.map(({ response_time }) => response_time)) / (tested.length || 1)),
    used_quota: sum(members.map(({ used_quota }) => used_quota)),
    priority: common(members.map(({ priority }) => priority)),
    weight: common(members.map(({ weight }) => weight)),
    children: members.slice(0, CHILDREN_MAX),
    ids: members.map(({ id }) => id),
  }
}

/** The channels of what is ticked. A tag stands for all of its own, also for those that are not shown below it. */
export function channelsOf(rows: readonly Row[], ticked: readonly (string | number)[]): number[] {
  const keys = new Set(ticked)
  return rows.flatMap((row) => {
    if (!isTag(row)) return keys.has(row.id) ? [row.id] : []
    return keys.has(rowKeyOf(row)) ? row.ids : row.children.flatMap(({ id }) => (keys.has(id) ? [id] : []))
  })
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0)

const common = ([first, ...rest]: readonly number[]) => (rest.every((number) => number === first) ? first : undefined)

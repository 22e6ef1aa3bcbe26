import { CHANNEL_STATUS, type Channel } from '../../api/channels.ts'
import { groupBy } from '../../records.ts'

/** A row for a tag, above its channels. */
export interface TagRow {
  tag: string
  /** Number of all channels of the tag. `children` may have only the first channels. */
  count: number
  enabled: number
  groups: string[]
  types: number[]
  /** Mean response time of the tested channels in milliseconds; 0 if no channel was tested. */
  response_time: number
  used_quota: number
  /** The common priority of all channels; undefined if their priorities differ. */
  priority: number | undefined
  /** The common weight of all channels; undefined if their weights differ. */
  weight: number | undefined
  children: Channel[]
  /** Ids of all channels. */
  ids: number[]
}

export type ChannelTableRow = Channel | TagRow

/** Maximum number of child rows per tag, because a tag may have thousands of channels. A button lists all of them. */
export const CHILDREN_MAX = 50

export const isTagRow = (row: ChannelTableRow): row is TagRow => 'children' in row

export const rowKeyOf = (row: ChannelTableRow): string | number => (isTagRow(row) ? `tag:${row.tag}` : row.id)

export const groupsOf = ({ group }: Pick<Channel, 'group'>): string[] => group.split(',').filter((name) => name !== '')

/** Groups channels by tag, sorted by tag name. */
export function groupByTag(channels: readonly Channel[]): TagRow[] {
  const groups = groupBy(channels, ({ tag }) => tag ?? '')
  return Array.from(groups, ([tag, members]) => tagRowOf(tag, members)).sort((a, b) => (a.tag < b.tag ? -1 : 1))
}

function tagRowOf(tag: string, members: readonly Channel[]): TagRow {
  const responseTimes = members.map(({ response_time }) => response_time).filter((time) => time > 0)
  return {
    tag,
    count: members.length,
    enabled: members.filter(({ status }) => status === CHANNEL_STATUS.enabled).length,
    groups: [...new Set(members.flatMap(groupsOf))],
    types: [...new Set(members.map(({ type }) => type))],
    response_time: Math.round(sum(responseTimes) / (responseTimes.length || 1)),
    used_quota: sum(members.map(({ used_quota }) => used_quota)),
    priority: commonValue(members.map(({ priority }) => priority)),
    weight: commonValue(members.map(({ weight }) => weight)),
    children: members.slice(0, CHILDREN_MAX),
    ids: members.map(({ id }) => id),
  }
}

/** Returns the ids of the selected channels. A selected tag selects all of its channels, even those without a row. */
export function selectedIdsOf(rows: readonly ChannelTableRow[], selected: readonly (string | number)[]): number[] {
  const keys = new Set(selected)
  return rows.flatMap((row) => {
    if (!isTagRow(row)) return keys.has(row.id) ? [row.id] : []
    return keys.has(rowKeyOf(row)) ? row.ids : row.children.map(({ id }) => id).filter((id) => keys.has(id))
  })
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0)

const commonValue = ([first, ...others]: readonly number[]) =>
  others.every((number) => number === first) ? first : undefined

import { CHANNEL_STATUS, type Channel } from '../../core/channels/channel.ts'
import { commaList } from '../../core/input.ts'
import type { Column } from '../output/column.ts'

/** The channels with one tag. */
interface ChannelTag {
  tag: string
  ids: number[]
  channels: number
  enabled: number
  /** Groups of all channels, as a comma list. */
  groups: string
  /** Models of all channels, as a comma list. */
  models: string
  /** Highest priority of the channels. */
  priority_max: number
  /** Lowest priority of the channels. */
  priority_min: number
  used_quota: number
}

export const TAG_COLUMNS: readonly Column<ChannelTag>[] = [
  { name: 'tag', value: ({ tag }) => tag, cut: true },
  { name: 'channels', value: ({ channels }) => String(channels), align: 'right' },
  {
    name: 'enabled',
    value: ({ enabled }) => String(enabled),
    tone: ({ enabled, channels }) => (enabled === channels ? 'good' : enabled === 0 ? 'bad' : undefined),
    align: 'right',
  },
  {
    name: 'priority',
    value: ({ priority_min: min, priority_max: max }) => (min === max ? String(max) : `${max} … ${min}`),
    sort: ({ priority_max }) => priority_max,
    align: 'right',
  },
  { name: 'used', value: ({ used_quota }, { quota }) => quota(used_quota), align: 'right' },
  { name: 'group', value: ({ groups }) => groups, cut: true },
  { name: 'models', value: ({ models }) => models, cut: true },
  { name: 'ids', value: ({ ids }) => ids.join(','), cut: true },
]

/** Returns the tags of the channels, sorted by name. Ignores channels without a tag. */
export function channelTagsOf(channels: readonly Channel[]): ChannelTag[] {
  const byTag = new Map<string, Channel[]>()
  for (const channel of channels) {
    if (channel.tag) byTag.set(channel.tag, [...(byTag.get(channel.tag) ?? []), channel])
  }
  return [...byTag].sort(([a], [b]) => (a < b ? -1 : 1)).map(([tag, tagged]) => summarizeTag(tag, tagged))
}

function summarizeTag(tag: string, channels: readonly Channel[]): ChannelTag {
  const priorities = channels.map(({ priority }) => priority)
  const union = (lists: readonly string[]) => commaList(lists.join(',')).join(',')
  return {
    tag,
    ids: channels.map(({ id }) => id).sort((a, b) => a - b),
    channels: channels.length,
    enabled: channels.filter(({ status }) => status === CHANNEL_STATUS.enabled).length,
    groups: union(channels.map(({ group }) => group)),
    models: union(channels.map(({ models }) => models)),
    priority_max: Math.max(...priorities),
    priority_min: Math.min(...priorities),
    used_quota: channels.reduce((sum, { used_quota }) => sum + used_quota, 0),
  }
}

import type { Follower } from '../../changes/follower.ts'
import type { Database } from '../../db/database.ts'
import { commaList, parseObject } from '../../input.ts'
import type { Secrets } from '../../secrets.ts'
import { CHANNEL_STATUS } from '../channel.ts'
import { type KeyName, type KeyRing, withRing } from '../keys/key-ring.ts'
import { disabledKeysIn } from '../settings/other-info.ts'
import { type ChannelSettings, parseSettings } from '../settings/settings.ts'
import { type ChannelType, findChannelType } from '../types/types.ts'
import type { Operation } from './operations.ts'
import { byPriority, type Pool } from './routing.ts'
import { createRoutingIndex, type RoutingIndex } from './routing-index.ts'

/** A channel as the relay needs it, with decrypted key and parsed columns. */
export interface LiveChannel {
  readonly id: number
  readonly name: string
  readonly type: ChannelType
  readonly key: string
  readonly baseUrl: string
  readonly other: string
  readonly organization: string
  readonly models: readonly string[]
  readonly groups: readonly string[]
  readonly modelMapping: Readonly<Record<string, string>>
  readonly statusCodeMapping: Readonly<Record<string, string>>
  readonly priority: number
  readonly weight: number
  readonly autoBan: boolean
  readonly status: number
  readonly testModel: string
  readonly settings: ChannelSettings
  /** Identifies `key` if the channel has a ring. Absent until a key has been chosen. */
  readonly keyName?: KeyName
  /** The keys for `chooseKey`. */
  readonly ring?: KeyRing
}

/** All channels in memory, indexed for routing, kept up to date by the change feed. */
export interface ChannelDirectory {
  /**
   * Returns enabled channels that serve a model for a group and support the operation (or any operation, if it is
   * undefined). Returns the same object until a channel for this group and model changes, or the index is rebuilt.
   */
  pool(group: string, model: string, operation?: Operation): Pool<LiveChannel>
  /** Returns a channel of any status. */
  find(id: number): LiveChannel | undefined
  /** Returns channels of any status. */
  all(): LiveChannel[]
  /** Returns whether an enabled channel serves a model for any group. */
  serves(model: string): boolean
  /** Returns whether a disabled channel would serve a model for a group and an operation. */
  isDisabledFor(group: string, model: string, operation?: Operation): boolean
  /** Returns models that an enabled channel serves for a group, sorted. */
  models(group: string): readonly string[]
  /**
   * Returns every model that an enabled channel serves, with its groups. Returns the same object until a model is added
   * to a group or removed from one, or the index is rebuilt.
   */
  groupsByModel(): ReadonlyMap<string, readonly string[]>
}

const COLUMNS = [
  'id',
  'name',
  'type',
  'key',
  'base_url',
  'other',
  'open_ai_organization',
  'models',
  'group',
  'model_mapping',
  'status_code_mapping',
  'priority',
  'weight',
  'auto_ban',
  'status',
  'test_model',
  'setting',
  'other_info',
] as const

const IDS_MAX = 10_000
/** If more channels than this have changed, rebuilding the indexes is cheaper than updating them. */
const ONE_BY_ONE_MAX = 100

type Row = Record<(typeof COLUMNS)[number], never>

export async function createChannelDirectory(parts: {
  db: Database
  secrets: Secrets
  follower: Follower
}): Promise<ChannelDirectory> {
  const { db, secrets, follower } = parts
  const channels = new Map<number, LiveChannel>()
  let enabledIndex = createRoutingIndex<LiveChannel>()
  let disabledIndex = createRoutingIndex<LiveChannel>()
  const indexFor = (channel: LiveChannel) => (isEnabled(channel) ? enabledIndex : disabledIndex)

  async function load(changed?: string[]): Promise<void> {
    // Load all channels if there are more ids than a statement can have parameters.
    const ids = changed && changed.length > IDS_MAX ? undefined : changed
    const rows: Row[] = await db
      .reader('channels')
      .modify((query) => void (ids && query.whereIn('id', ids.map(Number))))
      .select(...COLUMNS)
    const loaded = rows.map((row) => toLive(row, secrets)).filter((channel) => channel !== undefined)
    if (ids && ids.length <= ONE_BY_ONE_MAX) {
      for (const id of ids) forget(Number(id))
      for (const channel of loaded) {
        channels.set(channel.id, channel)
        indexFor(channel).add(channel)
      }
      return
    }
    if (ids) for (const id of ids) channels.delete(Number(id))
    else channels.clear()
    for (const channel of loaded) channels.set(channel.id, channel)
    const sorted = [...channels.values()].sort(byPriority)
    enabledIndex = indexOf(sorted.filter(isEnabled))
    disabledIndex = indexOf(sorted.filter((channel) => !isEnabled(channel)))
  }

  function forget(id: number): void {
    const channel = channels.get(id)
    channels.delete(id)
    if (channel) indexFor(channel).remove(channel)
  }

  follower.on('channel', load)
  await load()

  return {
    pool: (group, model, operation) => enabledIndex.pool(group, model, operation),
    find: (id) => channels.get(id),
    all: () => [...channels.values()],
    serves: (model) => enabledIndex.has(model),
    isDisabledFor: (group, model, operation) => disabledIndex.pool(group, model, operation).size > 0,
    models: (group) => enabledIndex.models(group),
    groupsByModel: () => enabledIndex.groupsByModel(),
  }
}

/** Returns an index of the channels, which must be sorted by priority. */
function indexOf(channels: readonly LiveChannel[]): RoutingIndex<LiveChannel> {
  const index = createRoutingIndex<LiveChannel>()
  for (const channel of channels) index.add(channel)
  return index
}

function isEnabled({ status }: LiveChannel): boolean {
  return status === CHANNEL_STATUS.enabled
}

/** Returns the channel for the relay, or undefined if the relay does not serve the channel's kind. */
function toLive(row: Row, secrets: Secrets): LiveChannel | undefined {
  const type = findChannelType(row.type)
  if (!type) return undefined
  const channel: LiveChannel = {
    id: row.id,
    name: row.name,
    type,
    key: secrets.open(row.key),
    baseUrl: row.base_url || type.baseUrl,
    other: row.other,
    organization: row.open_ai_organization ?? '',
    models: commaList(row.models),
    groups: commaList(row.group),
    modelMapping: textMap(row.model_mapping),
    statusCodeMapping: textMap(row.status_code_mapping),
    priority: row.priority,
    weight: row.weight,
    autoBan: row.auto_ban === 1,
    status: row.status,
    testModel: row.test_model ?? '',
    settings: parseSettings(row.setting),
  }
  const { multiKeyMode: mode } = channel.settings
  return mode ? withRing(channel, { mode, disabledKeys: disabledKeysIn(row.other_info), secrets }) : channel
}

/** Returns the map in a JSON text. Returns an empty map for an invalid text, which imported rows may contain. */
function textMap(json: string | null): Record<string, string> {
  if (!json) return {}
  return Object.fromEntries(Object.entries(parseObject(json) ?? {}).map(([name, value]) => [name, String(value)]))
}

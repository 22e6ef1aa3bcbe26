import type { Follower } from '../changes/follower.ts'
import type { Database } from '../db/database.ts'
import { commaList } from '../input.ts'
import type { Secrets } from '../secrets.ts'
import { CHANNEL_STATUS } from './channel.ts'
import { type KeyName, type KeyRing, withRing } from './key-ring.ts'
import { createOffers, type Offers } from './offers.ts'
import type { Operation } from './operations.ts'
import { setAsideIn } from './other-info.ts'
import { byPriority, type Pool } from './routing.ts'
import { type ChannelSettings, parseSettings } from './settings.ts'
import { type ChannelType, findChannelType } from './types.ts'

/** A channel as the relay needs it, its key in the clear and its texts parsed. */
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
  /** Which of several keys `key` is. Absent when the channel has only one, and as long as none was chosen. */
  readonly keyName?: KeyName
  /** What `chooseKey` chooses from. */
  readonly ring?: KeyRing
}

/** All channels in memory, indexed for routing, kept up to date by the change feed. */
export interface ChannelDirectory {
  /**
   * Enabled channels that serve a model for a group and can do the operation; whatever they can do, without one. The same
   * object until one of them changes.
   */
  pool(group: string, model: string, operation?: Operation): Pool<LiveChannel>
  /** A channel of any status. */
  find(id: number): LiveChannel | undefined
  /** Whether some enabled channel serves a model, for whatever group. */
  serves(model: string): boolean
  /** Whether a disabled channel would serve a model for a group and an operation. */
  isDisabledFor(group: string, model: string, operation?: Operation): boolean
  /** Models that some enabled channel serves for a group, sorted. */
  models(group: string): readonly string[]
  /**
   * Every model that some enabled channel serves, with the groups it is served for. The same object until a model comes to
   * a group or leaves it.
   */
  offers(): ReadonlyMap<string, readonly string[]>
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
/** So many changes at once are dearer to take in one by one than all channels anew. */
const ONE_BY_ONE_MAX = 100

type Row = Record<(typeof COLUMNS)[number], never>

export async function createChannelDirectory({
  db,
  secrets,
  follower,
}: {
  db: Database
  secrets: Secrets
  follower: Follower
}): Promise<ChannelDirectory> {
  const channels = new Map<number, LiveChannel>()
  let offers = createOffers<LiveChannel>()
  /** What disabled channels would serve. */
  let disabled = createOffers<LiveChannel>()
  const offersFor = (channel: LiveChannel) => (isEnabled(channel) ? offers : disabled)

  async function load(changed?: string[]): Promise<void> {
    // A statement has only so many places for ids.
    const ids = changed && changed.length > IDS_MAX ? undefined : changed
    const rows = await db
      .reader('channels')
      .modify((query) => void (ids && query.whereIn('id', ids.map(Number))))
      .select(...COLUMNS)
    const found = (rows as Row[]).map((row) => toLive(row, secrets)).filter((channel) => channel !== undefined)
    if (ids && ids.length <= ONE_BY_ONE_MAX) {
      for (const id of ids) forget(Number(id))
      for (const channel of found) {
        channels.set(channel.id, channel)
        offersFor(channel).add(channel)
      }
      return
    }
    if (ids) for (const id of ids) channels.delete(Number(id))
    else channels.clear()
    for (const channel of found) channels.set(channel.id, channel)
    const sorted = [...channels.values()].sort(byPriority)
    offers = offersOf(sorted.filter(isEnabled))
    disabled = offersOf(sorted.filter((channel) => !isEnabled(channel)))
  }

  function forget(id: number): void {
    const channel = channels.get(id)
    channels.delete(id)
    if (channel) offersFor(channel).remove(channel)
  }

  follower.on('channel', load)
  await load()

  return {
    pool: (group, model, operation) => offers.pool(group, model, operation),
    find: (id) => channels.get(id),
    serves: (model) => offers.has(model),
    isDisabledFor: (group, model, operation) => disabled.pool(group, model, operation).size > 0,
    models: (group) => offers.models(group),
    offers: () => offers.groupsByModel(),
  }
}

/** `channels`: sorted by priority. */
function offersOf(channels: readonly LiveChannel[]): Offers<LiveChannel> {
  const offers = createOffers<LiveChannel>()
  for (const channel of channels) offers.add(channel)
  return offers
}

function isEnabled({ status }: LiveChannel): boolean {
  return status === CHANNEL_STATUS.enabled
}

/** Undefined for a type this program does not know: such a channel is kept, shown, and never chosen. */
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
  return mode ? withRing(channel, { mode, setAside: setAsideIn(row.other_info), secrets }) : channel
}

/** Imported rows may hold anything: what is not a map of texts is no map. */
function textMap(json: string | null): Record<string, string> {
  if (!json) return {}
  try {
    const parsed = JSON.parse(json) as unknown
    return typeof parsed === 'object' && parsed !== null ? (parsed as Record<string, string>) : {}
  } catch {
    return {}
  }
}

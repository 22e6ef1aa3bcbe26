import type { Follower } from '../changes/follower.ts'
import type { Database } from '../db/database.ts'
import { commaList } from '../input.ts'
import type { Secrets } from '../secrets.ts'
import { CHANNEL_STATUS } from './channel.ts'
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
}

/** All channels in memory, indexed for routing, kept up to date by the change feed. */
export interface ChannelDirectory {
  /** Enabled channels that serve a model for a group, highest priority first. */
  candidates(group: string, model: string): readonly LiveChannel[]
  /** A channel of any status. */
  find(id: number): LiveChannel | undefined
  /** Whether some enabled channel serves a model, for whatever group. */
  serves(model: string): boolean
  /** Models that some enabled channel serves for a group, sorted. */
  models(group: string): string[]
  /** Every model that some enabled channel serves, with the groups it is served for. The same object until something changes. */
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
] as const

const IDS_MAX = 10_000

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
  let index = new Map<string, Map<string, LiveChannel[]>>()
  let offers: ReadonlyMap<string, readonly string[]> | undefined

  async function load(changed?: string[]): Promise<void> {
    // A statement has only so many places for ids.
    const ids = changed && changed.length > IDS_MAX ? undefined : changed
    const rows = await db
      .reader('channels')
      .modify((query) => void (ids && query.whereIn('id', ids.map(Number))))
      .select(...COLUMNS)
    if (ids) for (const id of ids) channels.delete(Number(id))
    else channels.clear()
    for (const row of rows) {
      const channel = toLive(row as Row, secrets)
      if (channel) channels.set(channel.id, channel)
    }
    index = indexed(channels.values())
    offers = undefined
  }
  follower.on('channel', load)
  await load()

  return {
    candidates: (group, model) => index.get(group)?.get(model) ?? [],
    find: (id) => channels.get(id),
    serves: (model) => [...index.values()].some((byModel) => byModel.has(model)),
    models: (group) => [...(index.get(group)?.keys() ?? [])].sort(),
    offers() {
      offers ??= groupsByModel(index)
      return offers
    },
  }
}

function indexed(channels: Iterable<LiveChannel>): Map<string, Map<string, LiveChannel[]>> {
  const byGroup = new Map<string, Map<string, LiveChannel[]>>()
  const sorted = [...channels]
    .filter(({ status }) => status === CHANNEL_STATUS.enabled)
    .sort((a, b) => b.priority - a.priority)
  for (const channel of sorted) {
    for (const group of channel.groups) {
      const byModel = byGroup.get(group) ?? new Map<string, LiveChannel[]>()
      byGroup.set(group, byModel)
      for (const model of channel.models) {
        const serving = byModel.get(model)
        if (serving) serving.push(channel)
        else byModel.set(model, [channel])
      }
    }
  }
  return byGroup
}

function groupsByModel(index: ReadonlyMap<string, ReadonlyMap<string, unknown>>): Map<string, string[]> {
  const found = new Map<string, string[]>()
  for (const [group, byModel] of index) {
    for (const model of byModel.keys()) {
      const groups = found.get(model)
      if (groups) groups.push(group)
      else found.set(model, [group])
    }
  }
  return found
}

/** Undefined for a type this program does not know: such a channel is kept, shown, and never chosen. */
function toLive(row: Row, secrets: Secrets): LiveChannel | undefined {
  const type = findChannelType(row.type)
  if (!type) return undefined
  return {
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

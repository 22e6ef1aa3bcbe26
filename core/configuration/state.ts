import type { Knex } from 'knex'
import type { Channel } from '../channels/channel.ts'
import { CHANNEL_STATUS } from '../channels/channel.ts'
import { findAnyType } from '../channels/types/types.ts'
import type { Database } from '../db/database.ts'
import { commaList, parsedObject } from '../input.ts'
import { findOption, OPTIONS, type OptionKey } from '../options/registry.ts'
import type { Option } from '../options/rows.ts'
import type { Secrets } from '../secrets.ts'
import { type Fields, SecretDigest } from './fields.ts'
import { readLimits } from './limits.ts'
import { readManagementKeys } from './management-keys.ts'
import { channelNames } from './names.ts'
import type { Section } from './sections.ts'
import { readTeams } from './teams.ts'

/** Everything that files can describe, by section and name. */
export type State = Record<Section, Map<string, Fields>>

/** Options that sections of their own describe. */
export const PRICE_OPTIONS = {
  ratio: 'ModelRatio',
  completion: 'CompletionRatio',
  cache: 'CacheRatio',
  cache_write: 'CacheWriteRatio',
  per_call: 'ModelPrice',
  output_tokens_max: 'OutputTokensMax',
} as const satisfies Record<string, OptionKey>
export const GROUP_OPTIONS = {
  ratio: 'GroupRatio',
  description: 'UserUsableGroups',
  topup_ratio: 'TopupGroupRatio',
  debt: 'GroupDebtLimit',
} as const satisfies Record<string, OptionKey>

/** The section that describes an option, if one does. */
export const SECTION_OF_OPTION: ReadonlyMap<string, Section> = new Map<string, Section>([
  ...Object.values(PRICE_OPTIONS).map((key): [string, Section] => [key, 'prices']),
  ...Object.values(GROUP_OPTIONS).map((key): [string, Section] => [key, 'groups']),
])

export function secretOf(secrets: Secrets, text: string): SecretDigest | undefined {
  return text === '' ? undefined : new SecretDigest(secrets.digest(`configuration:${text}`))
}

/** Reads the present state. It has only options, prices and groups that were ever stored. */
export async function readState({ reader }: Pick<Database, 'reader'>, secrets: Secrets): Promise<State> {
  const rows: { key: string; value: string }[] = await reader('options').orderBy('key').select('key', 'value')
  const stored = new Map(rows.map(({ key, value }) => [key, value]))
  const options = new Map<string, Fields>()
  for (const [key, value] of stored) {
    const option = findOption(key)
    if (!option || SECTION_OF_OPTION.has(key)) continue
    options.set(key, { value: option.secret ? secretOf(secrets, secrets.open(value)) : comparable(option, value) })
  }
  return {
    options,
    groups: tableOf(GROUP_OPTIONS, stored),
    prices: tableOf(PRICE_OPTIONS, stored),
    channels: await readChannels(reader, secrets),
    teams: await readTeams(reader),
    limits: new Map((await readLimits(reader, secrets)).map(({ name, fields }) => [name, fields])),
    management_keys: await readManagementKeys(reader),
  }
}

/** JSON is compared by what it says, not by its layout. */
export function comparable({ type }: Option<unknown>, text: string): unknown {
  if (type !== 'json') return text
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** The prices that are built in. They are no part of a file unless it names them, and are never pruned. */
export const builtInPrices = (): Map<string, Fields> => tableOf(PRICE_OPTIONS, new Map())

/** Entries that change nothing, of options that name what others define. */
const NEUTRAL: Partial<Record<OptionKey, number>> = { TopupGroupRatio: 1, GroupDebtLimit: 0 }

/** Names by rows, where each field is a table of its own; of those that are not stored, the built-in one. */
function tableOf(
  fields: Readonly<Record<string, OptionKey>>,
  stored: ReadonlyMap<string, string>,
): Map<string, Fields> {
  const table = new Map<string, Fields>()
  for (const [field, key] of Object.entries(fields)) {
    for (const [name, value] of Object.entries(parsedObject(stored.get(key) ?? OPTIONS[key].default) ?? {})) {
      const neutral = NEUTRAL[key]
      if (neutral === undefined) table.set(name, { ...table.get(name), [field]: value })
      else if (table.has(name) && value !== neutral) table.set(name, { ...table.get(name), [field]: value })
    }
  }
  return new Map([...table].sort(([one], [other]) => (one < other ? -1 : 1)))
}

async function readChannels(reader: Knex, secrets: Secrets): Promise<Map<string, Fields>> {
  const rows: ChannelRow[] = await reader('channels')
    .orderBy('id')
    .select(...CHANNEL_COLUMNS)
  const names = channelNames(rows)
  return new Map(rows.map((row) => [names.get(row.id) ?? row.name, channelFields(row, secrets)]))
}

const CHANNEL_COLUMNS = [
  ...['id', 'name', 'type', 'key', 'models', 'group', 'status', 'base_url', 'other', 'model_mapping'],
  ...['status_code_mapping', 'priority', 'weight', 'tag', 'test_model', 'open_ai_organization', 'auto_ban', 'setting'],
]
type ChannelRow = Channel & { open_ai_organization: string | null; key: string }

function channelFields(row: ChannelRow, secrets: Secrets): Fields {
  const type = findAnyType(row.type)
  return {
    type: type && 'slug' in type ? type.slug : row.type,
    key: secretOf(secrets, secrets.open(row.key)),
    models: commaList(row.models),
    groups: commaList(row.group),
    // One that is disabled automatically is meant to be enabled.
    enabled: row.status !== CHANNEL_STATUS.disabled,
    base_url: row.base_url ?? '',
    other: row.other ?? '',
    model_mapping: parsedObject(row.model_mapping ?? '') ?? {},
    status_code_mapping: parsedObject(row.status_code_mapping ?? '') ?? {},
    priority: row.priority,
    weight: row.weight,
    tag: row.tag ?? '',
    test_model: row.test_model ?? '',
    organization: row.open_ai_organization ?? '',
    auto_ban: Number(row.auto_ban) === 1,
    setting: parsedObject(row.setting ?? '') ?? {},
  }
}

import type { Knex } from 'knex'
import type { Channel } from '../channels/channel.ts'
import { CHANNEL_STATUS } from '../channels/channel.ts'
import { findAnyType } from '../channels/types/types.ts'
import { commaList, parseObject } from '../input.ts'
import { findOption, OPTIONS, type OptionKey } from '../options/registry.ts'
import type { Option } from '../options/rows.ts'
import type { Secrets } from '../secrets.ts'
import { type ConfigurationFields, SecretDigest } from './fields.ts'
import { type LimitFields, readConfiguredLimits } from './limits.ts'
import { type KeyFields, readManagementKeys } from './management-keys.ts'
import { uniqueChannelNames } from './names.ts'
import type { ConfigurationSection, LISTS } from './sections.ts'
import { readTeams } from './teams.ts'

/** All entries that files can describe, by section and name. */
export interface State extends Record<PlainSection, Map<string, ConfigurationFields>> {
  limits: Map<string, LimitFields>
  management_keys: Map<string, KeyFields>
}
type PlainSection = Exclude<ConfigurationSection, (typeof LISTS)[number]>

/** The fields of the section `prices`, each with the option that stores it. */
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

/** Section by option, for options that are not in the section `options`. */
export const SECTION_OF_OPTION: ReadonlyMap<string, ConfigurationSection> = new Map<string, ConfigurationSection>([
  ...Object.values(PRICE_OPTIONS).map((key): [string, ConfigurationSection] => [key, 'prices']),
  ...Object.values(GROUP_OPTIONS).map((key): [string, ConfigurationSection] => [key, 'groups']),
])

export function secretOf(secrets: Secrets, text: string): SecretDigest | undefined {
  return text === '' ? undefined : new SecretDigest(secrets.digest(`configuration:${text}`))
}

/** Reads the current state: stored options, and stored or built-in prices and groups. */
export async function readConfigurationState(reader: Knex, secrets: Secrets): Promise<State> {
  const rows: { key: string; value: string }[] = await reader('options').orderBy('key').select('key', 'value')
  const stored = new Map(rows.map(({ key, value }) => [key, value]))
  const options = new Map<string, ConfigurationFields>()
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
    limits: new Map((await readConfiguredLimits(reader, secrets)).map(({ name, fields }) => [name, fields])),
    management_keys: await readManagementKeys(reader),
  }
}

/** Returns the comparable value of an option. JSON is parsed, so that its layout is not compared. */
export function comparable({ type }: Option<unknown>, text: string): unknown {
  if (type !== 'json') return text
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** Returns the built-in prices. An exported file omits them, and pruning keeps them. */
export const builtInPrices = (): Map<string, ConfigurationFields> => tableOf(PRICE_OPTIONS, new Map())

/** Values without an effect. Entries omit them. Both options add fields only to groups that exist. */
const NEUTRAL: Partial<Record<OptionKey, number>> = { TopupGroupRatio: 1, GroupDebtLimit: 0 }

/** Returns entries by name. Each field comes from its own option, or from the option's default. */
function tableOf(
  fields: Readonly<Record<string, OptionKey>>,
  stored: ReadonlyMap<string, string>,
): Map<string, ConfigurationFields> {
  const table = new Map<string, ConfigurationFields>()
  for (const [field, key] of Object.entries(fields)) {
    for (const [name, value] of Object.entries(parseObject(stored.get(key) ?? OPTIONS[key].default) ?? {})) {
      const neutral = NEUTRAL[key]
      if (neutral === undefined || (table.has(name) && value !== neutral))
        table.set(name, { ...table.get(name), [field]: value })
    }
  }
  return new Map([...table].sort(([one], [other]) => (one < other ? -1 : 1)))
}

async function readChannels(reader: Knex, secrets: Secrets): Promise<Map<string, ConfigurationFields>> {
  const rows: ChannelRow[] = await reader('channels').orderBy('id').select(CHANNEL_COLUMNS)
  const names = uniqueChannelNames(rows)
  return new Map(rows.map((row) => [names.get(row.id) ?? row.name, channelFields(row, secrets)]))
}

const CHANNEL_COLUMNS = [
  ...['id', 'name', 'type', 'key', 'models', 'group', 'status', 'base_url', 'other', 'model_mapping'],
  ...['status_code_mapping', 'priority', 'weight', 'tag', 'test_model', 'open_ai_organization', 'auto_ban', 'setting'],
]
type ChannelRow = Channel & { open_ai_organization: string | null; key: string }

function channelFields(row: ChannelRow, secrets: Secrets): ConfigurationFields {
  const type = findAnyType(row.type)
  return {
    type: type && 'slug' in type ? type.slug : row.type,
    key: secretOf(secrets, secrets.open(row.key)),
    models: commaList(row.models),
    groups: commaList(row.group),
    // An automatically disabled channel counts as enabled, because the operator has not disabled it.
    enabled: row.status !== CHANNEL_STATUS.disabled,
    base_url: row.base_url ?? '',
    other: row.other ?? '',
    model_mapping: parseObject(row.model_mapping ?? '') ?? {},
    status_code_mapping: parseObject(row.status_code_mapping ?? '') ?? {},
    priority: row.priority,
    weight: row.weight,
    tag: row.tag ?? '',
    test_model: row.test_model ?? '',
    organization: row.open_ai_organization ?? '',
    auto_ban: Number(row.auto_ban) === 1,
    setting: parseObject(row.setting ?? '') ?? {},
  }
}

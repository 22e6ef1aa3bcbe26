import type { Channel } from '../channels/channel.ts'
import { CHANNEL_STATUS } from '../channels/channel.ts'
import { findAnyType } from '../channels/types.ts'
import type { Database } from '../db/database.ts'
import { commaList, parsedObject } from '../input.ts'
import { findOption, OPTIONS, type OptionKey } from '../options/registry.ts'
import type { Option } from '../options/rows.ts'
import type { Secrets } from '../secrets.ts'
import type { Section } from './sections.ts'

/** Marks a secret: its digest is compared, and never shown. */
export class SecretDigest {
  constructor(readonly digest: string) {}
  toJSON(): string {
    return `secret:${this.digest}`
  }
}

export type Fields = Record<string, unknown>
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
} as const satisfies Record<string, OptionKey>
export const LIMIT_OPTIONS = { debt: 'GroupDebtLimit' } as const satisfies Record<string, OptionKey>

/** The section that describes an option, if one does. */
export const SECTION_OF_OPTION: ReadonlyMap<string, Section> = new Map<string, Section>([
  ...Object.values(PRICE_OPTIONS).map((key): [string, Section] => [key, 'prices']),
  ...Object.values(GROUP_OPTIONS).map((key): [string, Section] => [key, 'groups']),
  ...Object.values(LIMIT_OPTIONS).map((key): [string, Section] => [key, 'limits']),
])

const DIGEST_LENGTH = 16

export function secretOf(secrets: Secrets, text: string): SecretDigest | undefined {
  return text === '' ? undefined : new SecretDigest(secrets.digest(`configuration:${text}`).slice(0, DIGEST_LENGTH))
}

/** Reads what is there now. Options are there if they were ever stored; prices and groups, too. */
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
    limits: tableOf(LIMIT_OPTIONS, stored),
    prices: tableOf(PRICE_OPTIONS, stored),
    channels: await readChannels(reader, secrets),
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

/** Names by rows, where each field is a table of its own; of those that are not stored, the built-in one. */
function tableOf(
  fields: Readonly<Record<string, OptionKey>>,
  stored: ReadonlyMap<string, string>,
): Map<string, Fields> {
  const table = new Map<string, Fields>()
  for (const [field, key] of Object.entries(fields)) {
    for (const [name, value] of Object.entries(parsedObject(stored.get(key) ?? OPTIONS[key].default) ?? {})) {
      // A ratio of 1 changes no top-up.
      if (key !== 'TopupGroupRatio') table.set(name, { ...table.get(name), [field]: value })
      else if (table.has(name) && value !== 1) table.set(name, { ...table.get(name), [field]: value })
    }
  }
  return new Map([...table].sort(([one], [other]) => (one < other ? -1 : 1)))
}

/** Channels by name. Of several with one name, all but the first get their id as a suffix: a file cannot mean them. */
async function readChannels(reader: Database['reader'], secrets: Secrets): Promise<Map<string, Fields>> {
  const rows: ChannelRow[] = await reader('channels')
    .orderBy('id')
    .select(...CHANNEL_COLUMNS)
  const channels = new Map<string, Fields>()
  for (const row of rows) {
    const name = channels.has(row.name) ? `${row.name} (channel ${row.id})` : row.name
    channels.set(name, channelFields(row, secrets))
  }
  return channels
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

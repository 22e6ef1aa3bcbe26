import type { Knex } from 'knex'
import type { Actor } from '../actor.ts'
import type { ChannelFields } from '../channels/channel.ts'
import { CHANNEL_STATUS } from '../channels/channel.ts'
import type { Channels } from '../channels/channels.ts'
import { parseChannelType } from '../channels/types/types.ts'
import { GatewayError } from '../errors.ts'
import { parseObject } from '../input.ts'
import type { NewLimit } from '../limits/limit.ts'
import type { Limits } from '../limits/limits.ts'
import type { OptionChange, Options } from '../options/options.ts'
import { OPTIONS, type OptionKey } from '../options/registry.ts'
import type { ConfigurationParts } from './configuration.ts'
import { optionText } from './desired.ts'
import { writtenAt } from './fault.ts'
import { type LimitFields, limitToSet, readConfiguredLimits } from './limits.ts'
import { namesIn } from './names.ts'
import type { ConfigurationChange, ConfigurationDocument } from './schema.ts'
import type { ConfigurationSection } from './sections.ts'
import { GROUP_OPTIONS, PRICE_OPTIONS, type State } from './state.ts'
import { writeKeys, writeTeams } from './write-accounts.ts'

export interface Writers {
  trx: Knex.Transaction
  parts: Omit<ConfigurationParts, 'clock'>
  channels: Channels
  options: Options
  limits: () => Promise<Limits>
}

/** The changes, and the state after them. */
export interface ConfigurationComparison {
  changes: ConfigurationChange[]
  desired: Partial<State>
  /** The document, with the defaults that pruning adds. */
  document: ConfigurationDocument
}

/** Makes the planned changes with the same operations that users call. Throws their errors. */
export async function makeChanges(
  actor: Actor,
  { changes, desired, document }: ConfigurationComparison,
  writers: Writers,
): Promise<void> {
  const changesOf = (section: ConfigurationSection) => changes.filter((change) => change.section === section)
  // Remove limits first, because the deletion of their channels and teams would also delete these limits.
  await removeLimits(actor, changesOf('limits'), writers)
  // Write groups before the entries that name them.
  for (const [section, fields] of [
    ['groups', GROUP_OPTIONS],
    ['prices', PRICE_OPTIONS],
  ] as const) {
    await writeTables(actor, changesOf(section), { section, fields, definitions: document[section] ?? {} }, writers)
  }
  await writeOptions(actor, changesOf('options'), document, writers)
  for (const change of changesOf('channels'))
    await writtenAt(`channels.${change.name}`, () => writeChannel(actor, change, document, writers))
  await writeTeams(actor, changesOf('teams'), desired.teams ?? new Map(), writers)
  await setLimits(actor, changesOf('limits'), desired.limits ?? new Map(), writers)
  const desiredKeys = desired.management_keys ?? new Map()
  await writeKeys(actor, changesOf('management_keys'), { desired: desiredKeys, document }, writers)
}

async function removeLimits(
  actor: Actor,
  changes: readonly ConfigurationChange[],
  { trx, limits, parts }: Writers,
): Promise<void> {
  const deletedNames = new Set(changes.filter(({ action }) => action === 'delete').map(({ name }) => name))
  if (deletedNames.size === 0) return
  const writer = await limits()
  for (const { id, name } of await readConfiguredLimits(trx, parts.secrets))
    if (deletedNames.has(name)) await writer.remove(actor, id)
}

async function setLimits(
  actor: Actor,
  changes: readonly ConfigurationChange[],
  desired: ReadonlyMap<string, LimitFields>,
  { trx, limits }: Writers,
): Promise<void> {
  const writtenChanges = changes.filter(({ action }) => action !== 'delete')
  if (writtenChanges.length === 0) return
  const names = namesIn(trx)
  const limitsToSet: NewLimit[] = []
  for (const fields of writtenChanges.flatMap(({ name }) => desired.get(name) ?? []))
    limitsToSet.push(await limitToSet(fields, names))
  // Set all limits in one call. A limit may be valid only together with the others.
  await (await limits()).set(actor, limitsToSet)
}

/** A section whose fields are stored in several options, one per field. */
interface OptionTables {
  section: ConfigurationSection
  fields: Readonly<Record<string, OptionKey>>
  definitions: Readonly<Record<string, Readonly<Record<string, unknown>>>>
}

async function writeTables(
  actor: Actor,
  changes: readonly ConfigurationChange[],
  { section, fields, definitions }: OptionTables,
  { options, trx }: Writers,
): Promise<void> {
  if (changes.length === 0) return
  const edits: OptionChange[] = []
  for (const [field, key] of Object.entries(fields)) {
    const row = await trx('options').where({ key }).first('value')
    const builtIn = section === 'prices' ? (parseObject(OPTIONS[key].default) ?? {}) : {}
    const before = row?.value ?? OPTIONS[key].default
    const table = new Map(Object.entries(parseObject(before) ?? {}))
    for (const { name, action } of changes) {
      // If a file no longer lists a model, the model gets its built-in price.
      const value = action === 'delete' ? builtIn[name] : definitions[name]?.[field]
      if (value === undefined) table.delete(name)
      else table.set(name, value)
    }
    const value = JSON.stringify(Object.fromEntries(table))
    if (value !== JSON.stringify(parseObject(before) ?? {})) edits.push({ key, value })
  }
  if (edits.length > 0) await options.change(actor, edits)
}

async function writeOptions(
  actor: Actor,
  changes: readonly ConfigurationChange[],
  { options: wanted = {} }: ConfigurationDocument,
  { options }: Writers,
): Promise<void> {
  const writtenChanges = changes.filter(({ action }) => action !== 'delete')
  const deletedNames = changes.filter(({ action }) => action === 'delete').map(({ name }) => name)
  const values = writtenChanges.map(({ name }) => ({ key: name, value: optionText(wanted[name]) }))
  if (values.length > 0) await options.change(actor, values)
  if (deletedNames.length > 0) await options.reset(actor, deletedNames)
}

async function writeChannel(
  actor: Actor,
  { name, action }: ConfigurationChange,
  { channels: wanted = {} }: ConfigurationDocument,
  { channels, trx }: Writers,
): Promise<void> {
  const row = await trx('channels').where({ name }).orderBy('id').first('id', 'status')
  if (action === 'delete') return channels.delete(actor, row?.id ?? numberIn(name))
  const definition = wanted[name]
  if (!definition) throw new Error(`No channel ${name} in the document`)
  const {
    type,
    key,
    models,
    groups,
    enabled,
    organization,
    auto_ban,
    model_mapping,
    status_code_mapping,
    setting,
    ...plain
  } = definition
  const channelType = parseChannelType(String(type))
  if (!channelType) throw new GatewayError('CHANNEL_TYPE_UNKNOWN', { value: type })
  const status = enabled === undefined ? undefined : enabled ? CHANNEL_STATUS.enabled : CHANNEL_STATUS.disabled
  const fields: ChannelFields = {
    ...plain,
    ...(models && { models: models.join(',') }),
    ...(groups && { group: groups.join(',') }),
    ...(organization !== undefined && { openai_organization: organization }),
    ...(auto_ban !== undefined && { auto_ban: Number(auto_ban) }),
    ...(model_mapping && { model_mapping: textOf(model_mapping) }),
    ...(status_code_mapping && { status_code_mapping: textOf(status_code_mapping) }),
    ...(setting && { setting: textOf(setting) }),
  }
  if (action === 'create') {
    if (key === undefined)
      throw new GatewayError('CONFIGURATION_INVALID', { reason: `channels.${name}: a new channel needs its key` })
    const created = {
      ...fields,
      name,
      type: channelType.type,
      key,
      models: fields.models ?? channelType.models.join(','),
      ...(status && { status }),
    }
    await channels.create(actor, created)
    return
  }
  // Keep an automatically disabled channel disabled. Health checks enable it.
  const isAutomatic = row?.status === CHANNEL_STATUS.autoDisabled && status === CHANNEL_STATUS.enabled
  const changes = {
    ...fields,
    type: channelType.type,
    ...(key !== undefined && { key }),
    ...(status && !isAutomatic && { status }),
  }
  await channels.update(actor, row?.id ?? 0, changes, { emptyClears: true })
}

const textOf = (object: object): string => (Object.keys(object).length === 0 ? '' : JSON.stringify(object))

/** Returns the id in a name such as `… (channel 7)`, or 0. Such names distinguish channels that share a name. */
const numberIn = (name: string): number => Number(/ \(channel (\d+)\)$/.exec(name)?.[1] ?? 0)

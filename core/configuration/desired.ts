import type { Knex } from 'knex'
import { digestsIn } from '../channels/keys/key-ring.ts'
import { parseSettings } from '../channels/settings/settings.ts'
import { findAnyType, parseChannelType } from '../channels/types/types.ts'
import { GatewayError } from '../errors.ts'
import { DEFAULT_GROUP } from '../groups/groups.ts'
import { findOption } from '../options/registry.ts'
import type { Secrets } from '../secrets.ts'
import { checkedAt, faultAt, unknownAt } from './fault.ts'
import { desiredLimits, type NameResolver } from './limits.ts'
import { desiredManagementKeys } from './management-keys.ts'
import { type Names, namesIn } from './names.ts'
import type { ConfigurationDocument } from './schema.ts'
import { comparable, SECTION_OF_OPTION, type State, secretOf } from './state.ts'
import { desiredTeams } from './teams.ts'

/** The current state and the database, to compare with a document. */
interface DesiredContext {
  reader: Knex
  current: State
  secrets: Secrets
  prune: boolean
  /** Unix seconds. */
  now: number
}

/**
 * Returns the state that a document describes, in the form of `readConfigurationState`. Secrets are digests. Throws
 * CONFIGURATION_INVALID with the path of the error, such as a name that does not exist.
 */
export async function desiredState(document: ConfigurationDocument, context: DesiredContext): Promise<Partial<State>> {
  const { options, groups, prices, channels, teams, limits, management_keys } = document
  const { reader, current, secrets } = context
  const names = namesIn(reader)
  const hasGroup = (name: string) => willExist(name, current.groups.get(name)?.ratio !== undefined, groups, context)
  return {
    ...(options && {
      options: new Map(Object.entries(options).map(([key, value]) => [key, optionFields(key, value, secrets)])),
    }),
    ...(groups && { groups: new Map(Object.entries(groups).map(([name, group]) => [name, dropNeutral(group)])) }),
    ...(prices && {
      prices: new Map(Object.entries(prices).map(([name, price]) => [name, checkedPrice(name, price)])),
    }),
    ...(channels && {
      channels: new Map(
        Object.entries(channels).map(([name, { key, type, ...fields }]) => {
          const path = `channels.${name}`
          const unknown = fields.groups?.find((group) => group !== DEFAULT_GROUP && !hasGroup(group))
          if (unknown !== undefined) throw unknownAt(path, 'group', unknown)
          const typeName = checkedAt(path, () => typeOf(type))
          return [name, { type: typeName, ...(key !== undefined && { key: secretOf(secrets, key) }), ...fields }]
        }),
      ),
    }),
    ...(teams && { teams: await desiredTeams(teams, { ...context, current: current.teams, names, hasGroup }) }),
    ...(limits && { limits: await desiredLimits(limits, nameResolverOf(document, { ...context, names, hasGroup })) }),
    ...(management_keys && {
      management_keys: await desiredManagementKeys(management_keys, {
        ...context,
        current: current.management_keys,
        names,
      }),
    }),
  }
}

/** Returns whether an entry will exist after the document is applied. If its section is pruned, it must be listed. */
function willExist(
  name: string,
  isPresent: boolean,
  section: Readonly<Record<string, unknown>> | undefined,
  { prune }: Pick<DesiredContext, 'prune'>,
): boolean {
  if (section && Object.hasOwn(section, name)) return true
  return isPresent && (name === DEFAULT_GROUP || !section || !prune)
}

function nameResolverOf(
  { channels, teams }: ConfigurationDocument,
  { names, hasGroup, ...context }: DesiredContext & { names: Names; hasGroup: NameResolver['hasGroup'] },
): NameResolver {
  return {
    ...{ names, hasGroup },
    hasTeam: async (name) => willExist(name, context.current.teams.has(name), teams, context),
    async hasMember(team, user) {
      const definition = teams?.[team]
      if (definition?.owner === user || (definition?.members && Object.hasOwn(definition.members, user))) return true
      const isRemoved = context.prune && definition?.members !== undefined
      return !isRemoved && (await names.isMember(team, user))
    },
    hasChannel: async (name) => willExist(name, (await names.channel(name)) !== undefined, channels, context),
    async keysOf(channel) {
      const { key, setting } = channels?.[channel] ?? {}
      const row = await names.channel(channel)
      const mode = setting ? setting.multi_key_mode : parseSettings(row?.setting ?? '').multiKeyMode
      if (!mode) return []
      return digestsIn(key ?? context.secrets.open(row?.key ?? ''), context.secrets)
    },
  }
}

function optionFields(key: string, value: unknown, secrets: Secrets) {
  const path = `options.${key}`
  const option = findOption(key)
  if (!option) throw faultAt(path, 'configuration.optionUnknown')
  const section = SECTION_OF_OPTION.get(key)
  if (section) throw faultAt(path, 'configuration.optionInSection', { section })
  const text = optionText(value)
  const checked = checkedAt(path, () => option.check(text))
  return { value: option.secret ? secretOf(secrets, checked) : comparable(option, checked) }
}

/** Returns the text of an option's value. In a document, the value may also be a number, a boolean or JSON. */
export function optionText(value: unknown): string {
  return typeof value === 'string' ? value : typeof value === 'object' ? JSON.stringify(value) : String(value)
}

function typeOf(value: string | number): string | number {
  const channelType = typeof value === 'number' ? findAnyType(value) : parseChannelType(value)
  if (!channelType) throw new GatewayError('CHANNEL_TYPE_UNKNOWN', { value })
  return 'slug' in channelType ? channelType.slug : channelType.type
}

/** Returns the group without values that have no effect: a top-up ratio of 1, and a debt limit of 0. */
function dropNeutral<T extends { topup_ratio?: number | undefined; debt?: number | undefined }>({
  topup_ratio,
  debt,
  ...group
}: T) {
  return {
    ...group,
    ...(topup_ratio !== undefined && topup_ratio !== 1 && { topup_ratio }),
    ...(debt !== undefined && debt !== 0 && { debt }),
  }
}

function checkedPrice<T extends { ratio?: number | undefined; per_call?: number | undefined }>(
  name: string,
  price: T,
): T {
  if (price.ratio === undefined || price.per_call === undefined) return price
  throw new GatewayError('CONFIGURATION_INVALID', { reason: `prices.${name}: give either ratio or per_call` })
}

import { findOption } from '../options/registry.ts'
import { type ConfigurationFields, SecretDigest } from './fields.ts'
import { limitDefinition } from './limits.ts'
import { keyDefinition } from './management-keys.ts'
import { prunableNames } from './plan.ts'
import type { ConfigurationDocument } from './schema.ts'
import type { State } from './state.ts'
import { teamDefinition } from './teams.ts'

/** Defaults of a channel. An exported document omits fields with these values. */
const CHANNEL_DEFAULTS: ConfigurationFields = {
  enabled: true,
  base_url: '',
  other: '',
  model_mapping: {},
  status_code_mapping: {},
  priority: 0,
  weight: 0,
  tag: '',
  test_model: '',
  organization: '',
  auto_ban: true,
  setting: {},
}

/** Defaults of a team. An exported document omits fields with these values. */
const TEAM_DEFAULTS: ConfigurationFields = { enabled: true }

/**
 * Adds the defaults of omitted fields to a document that is applied with `prune`. A channel's key, models and groups,
 * and a team's group and members have no default. If omitted, they stay unchanged.
 */
export function withDefaults({ channels, teams, ...others }: ConfigurationDocument, current: State) {
  return {
    ...others,
    ...(channels && { channels: addDefaults(channels, current.channels, CHANNEL_DEFAULTS) }),
    ...(teams && { teams: addDefaults(teams, current.teams, TEAM_DEFAULTS) }),
  }
}

/** Adds a default only to an existing entry whose current value differs. So a plan shows only real changes. */
function addDefaults<T extends object>(
  definitions: Readonly<Record<string, T>>,
  present: ReadonlyMap<string, ConfigurationFields>,
  defaults: ConfigurationFields,
): Record<string, T> {
  const entries = Object.entries(definitions).map(([name, definition]): [string, T] => {
    const fields = present.get(name)
    const differentDefaults = Object.entries(defaults).filter(
      ([field, value]) => fields && JSON.stringify(fields[field]) !== JSON.stringify(value),
    )
    return [name, { ...Object.fromEntries(differentDefaults), ...definition }]
  })
  return Object.fromEntries(entries)
}

/** Returns the state as a document. Secrets become references to environment variables, named after their entries. */
export function documentOf(
  state: State,
  { now, positions }: { now: number; positions: ReadonlyMap<string, number> },
): ConfigurationDocument {
  const { options, groups, prices, channels, teams, limits, management_keys: keys } = state
  const document = {
    version: 1,
    options: Object.fromEntries([...options].map(([key, { value }]) => [key, optionValue(key, value)])),
    groups: Object.fromEntries(groups),
    prices: Object.fromEntries(prunableNames('prices', prices, now).map((name) => [name, prices.get(name)])),
    channels: Object.fromEntries([...channels].map(([name, fields]) => [name, channelOf(name, fields)])),
    teams: Object.fromEntries([...teams].map(([name, fields]) => [name, teamDefinition(fields)])),
    limits: [...limits.values()].map((limit) => limitDefinition(limit, positions)),
    management_keys: prunableNames('management_keys', keys, now)
      .flatMap((name) => keys.get(name) ?? [])
      .map(keyDefinition),
  }
  return document as ConfigurationDocument
}

function optionValue(key: string, value: unknown): unknown {
  if (value instanceof SecretDigest) return `env:TOLLGATE_OPTION_${variable(key)}`
  const type = findOption(key)?.type
  return type === 'boolean' ? value === 'true' : (value ?? '')
}

function channelOf(name: string, fields: ConfigurationFields): ConfigurationFields {
  const customFields = Object.entries(fields).filter(
    ([field, value]) => value !== undefined && JSON.stringify(CHANNEL_DEFAULTS[field]) !== JSON.stringify(value),
  )
  return Object.fromEntries(
    customFields.map(([field, value]) => [
      field,
      value instanceof SecretDigest ? `env:TOLLGATE_CHANNEL_${variable(name)}` : value,
    ]),
  )
}

/**
 * Returns the name in capitals with underscores, as part of the name of an environment variable. Different names can
 * get the same variable, such as `a-b` and `a.b`.
 */
const variable = (name: string): string =>
  name
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replace(/[^A-Za-z0-9]+/g, '_')
    .replace(/^_+|_+$/g, '')
    .toUpperCase()

import { findOption } from '../options/registry.ts'
import { type Fields, SecretDigest } from './fields.ts'
import { limitDefinition } from './limits.ts'
import { keyDefinition } from './management-keys.ts'
import { unlisted } from './plan.ts'
import type { ConfigurationDocument } from './schema.ts'
import type { State } from './state.ts'
import { teamDefinition } from './teams.ts'

/** Fields of a channel that say no more than their default does, and are left out. */
const CHANNEL_DEFAULTS: Fields = {
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

/** A team's field that says no more than its default does, and is left out. */
const TEAM_DEFAULTS: Fields = { enabled: true }

/**
 * Adds the defaults that pruning gives to fields which a document does not name. A missing key, model list or group list has no
 * default, nor have a team's group and members: these stay as they are.
 */
export function withDefaults({ channels, teams, ...others }: ConfigurationDocument, current: State) {
  return {
    ...others,
    ...(channels && { channels: completed(channels, current.channels, CHANNEL_DEFAULTS) }),
    ...(teams && { teams: completed(teams, current.teams, TEAM_DEFAULTS) }),
  }
}

/** Only what is there and differs gets a default, so that a plan shows no more than what changes. */
function completed<T extends object>(
  definitions: Readonly<Record<string, T>>,
  present: ReadonlyMap<string, Fields>,
  defaults: Fields,
): Record<string, T> {
  const entries = Object.entries(definitions).map(([name, definition]): [string, T] => {
    const fields = present.get(name)
    const unlike = Object.entries(defaults).filter(
      ([field, value]) => fields && JSON.stringify(fields[field]) !== JSON.stringify(value),
    )
    return [name, { ...Object.fromEntries(unlike), ...definition }]
  })
  return Object.fromEntries(entries)
}

/** The state as a document. Secrets become references to environment variables that are named after them. */
export function documentOf(
  state: State,
  { now, positions }: { now: number; positions: ReadonlyMap<string, number> },
): ConfigurationDocument {
  const { options, groups, prices, channels, teams, limits, management_keys: keys } = state
  const document = {
    version: 1,
    options: Object.fromEntries([...options].map(([key, { value }]) => [key, optionValue(key, value)])),
    groups: Object.fromEntries(groups),
    prices: Object.fromEntries(unlisted('prices', prices, now).map((name) => [name, prices.get(name)])),
    channels: Object.fromEntries([...channels].map(([name, fields]) => [name, channelOf(name, fields)])),
    teams: Object.fromEntries([...teams].map(([name, fields]) => [name, teamDefinition(fields)])),
    limits: [...limits.values()].map((limit) => limitDefinition(limit, positions)),
    management_keys: unlisted('management_keys', keys, now).map((name) => keyDefinition(keys.get(name) ?? {})),
  }
  return document as ConfigurationDocument
}

function optionValue(key: string, value: unknown): unknown {
  if (value instanceof SecretDigest) return `env:TOLLGATE_OPTION_${variable(key)}`
  const type = findOption(key)?.type
  return type === 'boolean' ? value === 'true' : (value ?? '')
}

function channelOf(name: string, fields: Fields): Fields {
  const kept = Object.entries(fields).filter(
    ([field, value]) => value !== undefined && JSON.stringify(CHANNEL_DEFAULTS[field]) !== JSON.stringify(value),
  )
  return Object.fromEntries(
    kept.map(([field, value]) => [
      field,
      value instanceof SecretDigest ? `env:TOLLGATE_CHANNEL_${variable(name)}` : value,
    ]),
  )
}

/** A name as environment variables are written; names that differ only in signs share one. */
const variable = (name: string): string =>
  name
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replace(/[^A-Za-z0-9]+/g, '_')
    .replace(/^_+|_+$/g, '')
    .toUpperCase()

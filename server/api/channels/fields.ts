import { Type } from 'typebox'
import { KEYS_LENGTH_MAX } from '../../../core/channels/check.ts'
import { Id } from '../fields.ts'

const LONG_MAX = 64 * 1024

export const Ids = Type.Array(Id)

/** The documented request has a list of groups. Other clients send the comma list that replies contain. */
const Groups = Type.Optional(
  Type.Union([Type.String({ maxLength: LONG_MAX }), Type.Array(Type.String({ maxLength: LONG_MAX }))], {
    description: 'names, or their comma list; takes precedence over `group`',
  }),
)

const optional = {
  short: Type.Optional(Type.String({ maxLength: 255 })),
  long: Type.Optional(Type.String({ maxLength: LONG_MAX })),
}

/** Writable fields. Other fields that a client sends back, such as counters, are ignored. */
export const ChannelFieldSchemas = {
  name: optional.short,
  base_url: Type.Optional(Type.String({ maxLength: 2048 })),
  other: optional.long,
  models: optional.long,
  group: optional.long,
  groups: Groups,
  model_mapping: Type.Optional(Type.String({ maxLength: LONG_MAX, description: 'JSON text' })),
  status_code_mapping: Type.Optional(Type.String({ maxLength: 4096, description: 'JSON text' })),
  priority: Type.Optional(Type.Integer({ description: 'at least -999' })),
  weight: Type.Optional(Type.Integer({ description: 'at least 0' })),
  tag: optional.short,
  test_model: optional.short,
  openai_organization: optional.short,
  auto_ban: Type.Optional(Type.Integer({ description: '1 if it may be disabled automatically, else 0' })),
  setting: Type.Optional(Type.String({ maxLength: LONG_MAX, description: 'JSON text' })),
  status: Type.Optional(Type.Integer({ description: '1 enabled, 2 disabled' })),
}

/** Returns the comma list for the `groups` of a request. */
export function groupList(groups: string | readonly string[]): string {
  return typeof groups === 'string' ? groups : groups.join(',')
}

/**
 * Converts a client's fields for core. `groups` becomes `group`, which is the name of the column. An empty `groups`
 * changes nothing.
 */
export function coreFields<Fields extends { group?: string; groups?: string | string[] }>({
  groups,
  ...fields
}: Fields): Omit<Fields, 'groups'> {
  return groups === undefined || groups.length === 0 ? fields : { ...fields, group: groupList(groups) }
}

export const ChannelKeyText = Type.String({ maxLength: KEYS_LENGTH_MAX })

export const ViewQuery = {
  id_sort: Type.Optional(Type.Boolean({ description: 'newest first, instead of by priority' })),
  tag_mode: Type.Optional(Type.Boolean({ description: 'a page contains tags, each with all its channels' })),
}

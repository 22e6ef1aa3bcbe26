import { GatewayError } from '../errors.ts'
import { commaList, mapOfTexts, oneOf, parseObject, requireText, requireWholeNumber } from '../input.ts'
import { because, type Reason } from '../messages/reasons.ts'
import { keysOf } from '../records.ts'
import { CHANNEL_STATUS, type Channel, type ChannelChanges, type ChannelFields } from './channel.ts'
import { splitKeys } from './keys/keys.ts'
import { isHeader } from './settings/headers.ts'
import type { MultiKeyMode } from './settings/settings.ts'
import { checkChannelSettings, TEXT_LENGTH_MAX } from './settings/settings-check.ts'
import { type ChannelType, findAnyType, findChannelType } from './types/types.ts'
import { UNASSIGNED_TYPES } from './types/unserved-types.ts'

const MODEL_LENGTH_MAX = 255
const GROUP_LENGTH_MAX = 64
const PRIORITY = { min: -999, max: 2 ** 31 - 1 }
const WEIGHT = { min: 0, max: 2 ** 31 - 1 }
const VERTEX = 41
/** Maximum length of all keys in one request, in characters. */
export const KEYS_LENGTH_MAX = 1024 * 1024
/** Maximum number of keys in one request. */
export const KEYS_MAX = 1000

/** The columns that an administrator writes. */
type WrittenColumns = Omit<Pick<Channel, keyof ChannelFields>, 'openai_organization'> & {
  open_ai_organization: string | null
}

const CHECKS: Record<keyof ChannelFields, (value: unknown) => string | number | null> = {
  name: (value) => requireText('name', value, { min: 0, max: 255 }),
  base_url: (value) => serverAddress('base_url', value),
  other: (value) => requireText('other', value, { min: 0, max: TEXT_LENGTH_MAX }),
  models: modelList,
  group: groupList,
  model_mapping: (value) => modelMapping(mapOfTexts('model_mapping', longText('model_mapping', value))) || null,
  status_code_mapping: (value) =>
    statusMapping(mapOfTexts('status_code_mapping', longText('status_code_mapping', value))),
  priority: (value) => requireWholeNumber('priority', value, PRIORITY),
  weight: (value) => requireWholeNumber('weight', value, WEIGHT),
  tag: (value) => requireText('tag', value, { min: 0, max: 255 }) || null,
  test_model: (value) => requireText('test_model', value, { min: 0, max: 255 }) || null,
  openai_organization: (value) => headerText('openai_organization', value) || null,
  auto_ban: (value) => oneOf('auto_ban', value, [0, 1]),
  setting: (value) => settings(longText('setting', value)),
}

/** Returns the columns to store for the fields, normalized. Throws FIELD_*, MODEL_NAME_TOO_LONG. */
export function checkFields(fields: ChannelFields): Partial<WrittenColumns> {
  const row: Record<string, string | number | null> = {}
  for (const field of keysOf(CHECKS)) {
    const value = fields[field]
    const column = field === 'openai_organization' ? 'open_ai_organization' : field
    if (value !== undefined && value !== null) row[column] = CHECKS[field](value)
  }
  return row
}

/** Removes empty columns except those that clients may clear. In the documented API, an empty field means no change. */
export function withoutEmpty(row: Partial<WrittenColumns>): Partial<WrittenColumns> {
  const notClearable = new Set(['name', 'other', 'models', 'group', 'setting'])
  return Object.fromEntries(Object.entries(row).filter(([column, value]) => value !== '' || !notClearable.has(column)))
}

/** Returns the columns unchanged; empty ones will be cleared. Throws FIELD_REQUIRED if a required column is empty. */
function requireNonEmpty(row: Partial<WrittenColumns>): Partial<WrittenColumns> {
  for (const field of ['name', 'models', 'group'] as const) {
    if (row[field] === '') throw new GatewayError('FIELD_REQUIRED', { field })
  }
  return row
}

/** Returns an edit's columns, except type, key and status. Throws FIELD_*, MODEL_NAME_TOO_LONG, VERTEX_REGION_*. */
export function editedColumns(
  { type, key: _, status: __, ...fields }: ChannelChanges,
  { emptyClears = false }: { emptyClears?: boolean },
): Partial<WrittenColumns> {
  const checked = checkFields(fields)
  if (type) checkRegions(type, fields.other ?? '')
  return emptyClears ? requireNonEmpty(checked) : withoutEmpty(checked)
}

/**
 * Checks the type and address of an edit. An imported channel of an unserved type can still be edited if its type stays
 * the same. Throws CHANNEL_TYPE_*, FIELD_REQUIRED, CHANNEL_BASE_URL_MISSING.
 */
export function checkTypeAndAddress(
  current: Pick<Channel, 'type' | 'base_url'>,
  { type, ...fields }: ChannelChanges,
  columns: Partial<WrittenColumns>,
): void {
  const isSameType = !type || type === current.type
  const servedType = isSameType ? findChannelType(current.type) : checkType(type, fields)
  if (servedType && (!isSameType || columns.base_url === ''))
    checkAddress(servedType, columns.base_url ?? current.base_url)
}

/** Returns the channel type. Throws CHANNEL_TYPE_UNKNOWN, CHANNEL_TYPE_RETIRED, VERTEX_REGION_*. */
export function checkType(number: number, { other }: Pick<ChannelFields, 'other'>): ChannelType {
  checkRegions(number, other ?? '')
  const type = findAnyType(number)
  if (UNASSIGNED_TYPES.has(number)) throw retired(number, 'an unassigned kind', because('typeUnassigned'))
  if (!type) throw new GatewayError('CHANNEL_TYPE_UNKNOWN', { value: number })
  if ('retired' in type) throw retired(number, type.name, because(type.retired))
  return type
}

function retired(type: number, name: string, reason: Reason): GatewayError {
  return new GatewayError('CHANNEL_TYPE_RETIRED', { type, name, ...reason })
}

/**
 * Returns the key to store, trimmed. Throws CHANNEL_KEY_UNUSUAL for characters that are invalid in HTTP headers,
 * because each request would fail. A JSON document may contain such characters, because it is not sent in a header.
 */
export function tidyKey(text: string): string {
  const key = text.trim()
  const isDocument = parseObject(key) !== undefined
  if (!isDocument && !/^[\x20-\x7e\xa0-\xff]*$/.test(key)) throw new GatewayError('CHANNEL_KEY_UNUSUAL')
  return key
}

/**
 * Returns the text to store as a channel's key: one key or, with a multi-key mode, the distinct keys, one per line.
 * Empty if there is no key. Throws CHANNEL_KEY_UNUSUAL, FIELD_TOO_MANY.
 */
export function tidyKeys(text: string, mode: MultiKeyMode | undefined): string {
  if (!mode) return tidyKey(text)
  const keys = [...new Set(splitKeys(text).map(tidyKey))]
  if (keys.length > KEYS_MAX) throw new GatewayError('FIELD_TOO_MANY', { field: 'key', max: KEYS_MAX })
  return keys.join('\n')
}

/** For Vertex AI, throws VERTEX_REGION_MISSING without a region, and VERTEX_REGION_DEFAULT without a default region. */
function checkRegions(type: number, other: string): void {
  if (type !== VERTEX) return
  if (other.trim() === '') throw new GatewayError('VERTEX_REGION_MISSING')
  const regions = parseObject(other)
  if (regions && !('default' in regions)) throw new GatewayError('VERTEX_REGION_DEFAULT')
}

/** Throws CHANNEL_BASE_URL_MISSING if the type requires a base URL and there is none. */
export function checkAddress(type: ChannelType, base_url: string): void {
  if (base_url === '' && type.baseUrlRequired)
    throw new GatewayError('CHANNEL_BASE_URL_MISSING', { field: 'base_url', type: type.name })
}

export function checkStatus(status: number): number {
  return oneOf('status', status, [CHANNEL_STATUS.enabled, CHANNEL_STATUS.disabled])
}

const IDS_MAX = 10_000
/** Throws PARAMETERS_WRONG for an empty list, and FIELD_TOO_MANY for a long one. */
export function checkIds(ids: readonly number[]): void {
  if (ids.length === 0) throw new GatewayError('PARAMETERS_WRONG', { reason: 'ids' })
  if (ids.length > IDS_MAX) throw new GatewayError('FIELD_TOO_MANY', { field: 'ids', max: IDS_MAX })
}

/** Returns an http or https URL without trailing slashes; an empty text stays empty. Throws FIELD_*. */
export function serverAddress(field: string, value: unknown): string {
  const trimmed = requireText(field, value, { min: 0, max: 2048 }).replace(/\/+$/, '')
  if (trimmed === '') return ''
  const url = URL.canParse(trimmed) ? new URL(trimmed) : undefined
  if (!url || !/^https?:$/.test(url.protocol)) {
    throw new GatewayError('FIELD_URL', { field, value: trimmed.slice(0, 60) })
  }
  // The host must not contain a placeholder for the model. Otherwise, the client's model name could choose the server
  // that gets the key.
  if (url.host.includes('{')) throw new GatewayError('FIELD_URL', { field, value: trimmed.slice(0, 60) })
  // A query or fragment is invalid, because the gateway appends paths. Credentials are invalid, because they belong in
  // the key. The error does not contain the credentials.
  const extra = ['?', '#'].find((mark) => trimmed.includes(mark)) ?? (url.username || url.password ? '@' : undefined)
  if (extra) throw new GatewayError('FIELD_WITHOUT', { field, word: extra })
  return trimmed
}

function modelList(value: unknown): string {
  const models = commaList(longText('models', value))
  const long = models.find((model) => [...model].length > MODEL_LENGTH_MAX)
  if (long) throw new GatewayError('MODEL_NAME_TOO_LONG', { model: long.slice(0, MODEL_LENGTH_MAX) })
  return models.join(',')
}

function groupList(value: unknown): string {
  const groups = commaList(longText('group', value))
  for (const name of groups) requireText('group', name, { min: 1, max: GROUP_LENGTH_MAX })
  return groups.join(',')
}

/** Checks a text that is sent as a header value. A line break in it would make each request fail. */
function headerText(field: string, value: unknown): string {
  const text = requireText(field, value, { min: 0, max: 255 })
  if (!isHeader('x', text)) throw new GatewayError('FIELD_HEADER', { field, name: JSON.stringify(text.slice(0, 60)) })
  return text
}

function longText(field: string, value: unknown): string {
  return requireText(field, value, { min: 0, max: TEXT_LENGTH_MAX })
}

/** Throws FIELD_CYCLE for a cycle, because following it would never end. A model may be mapped to itself. */
function modelMapping(models: Record<string, string>): string {
  const mapping = new Map(Object.entries(models))
  for (const [model, first] of mapping) {
    const way = [model]
    for (let next: string | undefined = first; next !== undefined && next !== way.at(-1); next = mapping.get(next)) {
      if (next === model) {
        throw new GatewayError('FIELD_CYCLE', { field: 'model_mapping', way: [...way, next].join(' → ').slice(0, 300) })
      }
      if (way.includes(next)) break
      way.push(next)
    }
  }
  return textOfMap(models)
}

/** Returns the JSON to store; empty for an empty map. */
function textOfMap(map: Record<string, string>): string {
  return Object.keys(map).length ? JSON.stringify(map) : ''
}

function statusMapping(statuses: Record<string, string>): string {
  for (const [from, to] of Object.entries(statuses)) {
    if (![from, to].every((code) => /^[3-5]\d\d$/.test(code))) {
      throw new GatewayError('FIELD_STATUS_PAIR', { field: 'status_code_mapping', from, to })
    }
  }
  return textOfMap(statuses)
}

function settings(text: string): string {
  if (text === '' || text === 'null') return ''
  const setting = parseObject(text)
  if (!setting) throw new GatewayError('FIELD_JSON_OBJECT', { field: 'setting' })
  checkChannelSettings(setting)
  return text
}

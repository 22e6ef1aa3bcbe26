import { CHANNEL_STATUS } from '../../channels/channel.ts'
import { splitKeys } from '../../channels/keys/keys.ts'
import { findAnyType } from '../../channels/types/types.ts'
import { commaList, parseObject } from '../../input.ts'
import { COUNT, QUOTA_BOUNDS, type RowValues, TIME } from '../values.ts'
import { disabledKeys } from './disabled-keys.ts'
import { type MapContext, type Mapping, mapWith } from './mapper.ts'
import { oneApiChannel, oneApiConfig } from './one-api-channels.ts'

const STATUSES: ReadonlySet<number> = new Set(Object.values(CHANNEL_STATUS))
const PRIORITY = { min: -999, max: 2 ** 31 - 1 }
const MODEL_LENGTH_MAX = 255

export const CHANNEL_SOURCE_COLUMNS = [
  ...['id', 'type', 'key', 'open_ai_organization', 'test_model', 'status', 'name', 'weight', 'created_time'],
  'test_time',
  ...['response_time', 'base_url', 'other', 'balance', 'balance_updated_time', 'models', 'group', 'used_quota'],
  ...['model_mapping', 'status_code_mapping', 'priority', 'auto_ban', 'other_info', 'tag', 'setting'],
  ...['config', 'system_prompt', 'channel_info', 'param_override', 'header_override'],
]

/** Maps a channel. Its abilities are not read, but derived from its models and groups. */
export function mapChannel(row: Readonly<Record<string, unknown>>, { product }: MapContext): Mapping {
  return mapWith(row, (values, change) => {
    const { text, integer, raw } = values
    const sourceType = integer('type', COUNT)
    const givenBase = text('base_url').trim().replace(/\/+$/, '')
    const config = parseObject(text('config')) ?? {}
    const mapped =
      product === 'one-api' ? oneApiChannel(sourceType, givenBase) : { type: sourceType, base_url: givenBase }
    const unserved = mapped.unserved ?? whyUnserved(mapped.type)
    const { key, other } =
      product === 'one-api'
        ? oneApiConfig(sourceType, { key: text('key').trim(), other: text('other'), config })
        : { key: text('key').trim(), other: text('other') }
    if (mapped.changedUrl !== undefined) change(mapped.changedUrl)
    if (unserved !== undefined) change(unserved)
    const status = integer('status', { otherwise: CHANNEL_STATUS.enabled })
    if (!STATUSES.has(status)) change(`status ${status} does not exist: disabled instead`)
    if (key === '') change('it has no key')
    const disabledList = disabledKeys(text('channel_info'), key, change)
    const areKeysOff =
      disabledList.length > 0 && new Set(disabledList.map((each) => each.key)).size >= new Set(splitKeys(key)).size
    if (areKeysOff && status === CHANNEL_STATUS.enabled) change('all its keys are disabled: so is the channel')
    const name = text('name', { max: 240 })
    return {
      fields: {
        type: mapped.type,
        open_ai_organization: text('open_ai_organization', { max: 255 }) || null,
        test_model: text('test_model', { max: 255 }) || null,
        status: statusOf(status, { isServed: unserved === undefined, areKeysOff }),
        name: name || `channel-${raw('id')}`,
        weight: integer('weight', COUNT),
        created_time: integer('created_time', TIME),
        test_time: integer('test_time', TIME),
        response_time: integer('response_time', COUNT),
        base_url: mapped.base_url,
        other,
        balance: Number(raw('balance') ?? 0) || 0,
        balance_updated_time: integer('balance_updated_time', TIME),
        models: modelsOf(text('models'), change),
        group: commaList(text('group')).join(',') || 'default',
        model_mapping: mappingOf('model_mapping', values, change) || null,
        status_code_mapping: mappingOf('status_code_mapping', values, change),
        priority: integer('priority', PRIORITY),
        auto_ban: integer('auto_ban', { otherwise: 1 }) === 0 ? 0 : 1,
        other_info: text('other_info'),
        tag: text('tag', { max: 255 }) || null,
        setting: settingOf(values, key, change),
      },
      quota: 0,
      used: integer('used_quota', QUOTA_BOUNDS),
      // A channel with one key needs no list of disabled keys, because the channel itself is disabled.
      secrets: {
        key,
        ...(disabledList.length > 0 && splitKeys(key).length > 1 && { disabled_keys: JSON.stringify(disabledList) }),
      },
    }
  })
}

/** Returns why the relay does not serve the type, else undefined. Such channels are disabled and keep the type. */
function whyUnserved(type: number): string | undefined {
  const channelType = findAnyType(type)
  if (!channelType) return `type ${type} is not known here: the channel is disabled`
  if ('retired' in channelType) return `type ${type} (${channelType.name}) is not served: the channel is disabled`
  return undefined
}

function statusOf(status: number, { isServed, areKeysOff }: { isServed: boolean; areKeysOff: boolean }): number {
  if (!isServed || !STATUSES.has(status)) return CHANNEL_STATUS.disabled
  return areKeysOff && status === CHANNEL_STATUS.enabled ? CHANNEL_STATUS.disabled : status
}

function modelsOf(list: string, change: (what: string) => void): string {
  const models = commaList(list)
  const validModels = models.filter((model) => [...model].length <= MODEL_LENGTH_MAX)
  if (validModels.length < models.length)
    change(`${models.length - validModels.length} names of models are too long: left out`)
  return validModels.join(',')
}

/** Returns a JSON object with text values. Returns '' for `""`, `"{}"`, `"null"`, NULL and invalid values. */
function mappingOf(column: string, { text }: RowValues, change: (what: string) => void): string {
  const columnText = text(column).trim()
  if (columnText === '' || columnText === 'null' || columnText === '{}') return ''
  const object = parseObject(columnText)
  if (object && Object.values(object).every((value) => typeof value === 'string' || typeof value === 'number')) {
    return JSON.stringify(Object.fromEntries(Object.entries(object).map(([name, value]) => [name, String(value)])))
  }
  change(`${column} is no JSON object of texts: left out`)
  return ''
}

/** Returns the column `setting` as JSON. Includes values that one-api and newer new-api store in other columns. */
function settingOf({ text }: RowValues, key: string, change: (what: string) => void): string {
  const columnText = text('setting').trim()
  const setting = parseObject(columnText) ?? {}
  if (columnText !== '' && columnText !== 'null' && parseObject(columnText) === undefined)
    change('setting is no JSON object: left out')
  const info = parseObject(text('channel_info')) ?? {}
  const hasSeveralKeys = splitKeys(key).length > 1
  const prompt = text('system_prompt')
  const params = parseObject(text('param_override'))
  const headers = parseObject(text('header_override'))
  const merged = {
    ...setting,
    ...(hasSeveralKeys && { multi_key_mode: info.multi_key_mode === 'polling' ? 'polling' : 'random' }),
    ...(prompt !== '' && { system_prompt: prompt }),
    ...(params && { param_override: params }),
    ...(headers && { header_override: headers }),
  }
  return Object.keys(merged).length > 0 ? JSON.stringify(merged) : ''
}

import { CHANNEL_STATUS } from '../../channels/channel.ts'
import { splitKeys } from '../../channels/keys.ts'
import { commaList } from '../../input.ts'
import { COUNT, QUOTA, TIME, type Values } from '../values.ts'
import { jsonObject, type MapContext, type Mapping, mapWith } from './mapper.ts'
import { oneApiChannel, oneApiConfig } from './one-api-channels.ts'

const STATUSES: ReadonlySet<number> = new Set(Object.values(CHANNEL_STATUS))
const PRIORITY = { min: -999, max: 2 ** 31 - 1 }
const MODEL_LENGTH_MAX = 255

export const CHANNEL_SOURCE_COLUMNS = [
  ...[
    'id',
    'type',
    'key',
    'open_ai_organization',
    'test_model',
    'status',
    'name',
    'weight',
    'created_time',
    'test_time',
  ],
  ...['response_time', 'base_url', 'other', 'balance', 'balance_updated_time', 'models', 'group', 'used_quota'],
  ...['model_mapping', 'status_code_mapping', 'priority', 'auto_ban', 'other_info', 'tag', 'setting'],
  ...['config', 'system_prompt', 'channel_info', 'param_override', 'header_override'],
]

/** An upstream account. Its abilities are made from it, not read. */
export function mapChannel(row: Readonly<Record<string, unknown>>, { product }: MapContext): Mapping {
  return mapWith(row, (values, change) => {
    const { text, integer, raw } = values
    const sourceType = integer('type', COUNT)
    const givenBase = text('base_url').trim().replace(/\/+$/, '')
    const config = jsonObject(text('config')) ?? {}
    const kind =
      product === 'one-api' ? oneApiChannel(sourceType, givenBase) : { type: sourceType, base_url: givenBase }
    const { key, other } =
      product === 'one-api'
        ? oneApiConfig(sourceType, { key: text('key').trim(), other: text('other'), config })
        : { key: text('key').trim(), other: text('other') }
    if (kind.what !== undefined) change(kind.what)
    if (kind.none !== undefined) change(kind.none)
    const status = integer('status', { otherwise: CHANNEL_STATUS.enabled })
    if (!STATUSES.has(status)) change(`status ${status} does not exist: disabled instead`)
    if (key === '') change('it has no key')
    const name = text('name', { max: 240 })
    return {
      fields: {
        type: kind.type,
        open_ai_organization: text('open_ai_organization', { max: 255 }) || null,
        test_model: text('test_model', { max: 255 }) || null,
        status: kind.none === undefined && STATUSES.has(status) ? status : CHANNEL_STATUS.disabled,
        name: name || `channel-${raw('id')}`,
        weight: integer('weight', COUNT),
        created_time: integer('created_time', TIME),
        test_time: integer('test_time', TIME),
        response_time: integer('response_time', COUNT),
        base_url: kind.base_url,
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
      used: integer('used_quota', QUOTA),
      secrets: { key },
    }
  })
}

function modelsOf(list: string, change: (what: string) => void): string {
  const models = commaList(list)
  const fitting = models.filter((model) => [...model].length <= MODEL_LENGTH_MAX)
  if (fitting.length < models.length) change(`${models.length - fitting.length} names of models are too long: left out`)
  return fitting.join(',')
}

/** A JSON object of texts; `""`, `"{}"`, `"null"` and NULL all mean none. */
function mappingOf(column: string, { text }: Values, change: (what: string) => void): string {
  const written = text(column).trim()
  if (written === '' || written === 'null' || written === '{}') return ''
  const object = jsonObject(written)
  if (object && Object.values(object).every((value) => typeof value === 'string' || typeof value === 'number')) {
    return JSON.stringify(Object.fromEntries(Object.entries(object).map(([name, value]) => [name, String(value)])))
  }
  change(`${column} is no JSON object of texts: left out`)
  return ''
}

/** The setting, with what newer and other versions keep in columns of their own. */
function settingOf({ text }: Values, key: string, change: (what: string) => void): string {
  const written = text('setting').trim()
  const setting = jsonObject(written) ?? {}
  if (written !== '' && written !== 'null' && jsonObject(written) === undefined)
    change('setting is no JSON object: left out')
  const info = jsonObject(text('channel_info')) ?? {}
  const isSeveral = splitKeys(key).length > 1
  const prompt = text('system_prompt')
  const params = jsonObject(text('param_override'))
  const headers = jsonObject(text('header_override'))
  const whole = {
    ...setting,
    ...(isSeveral && { multi_key_mode: info.multi_key_mode === 'polling' ? 'polling' : 'random' }),
    ...(prompt !== '' && { system_prompt: prompt }),
    ...(params && { param_override: params }),
    ...(headers && { header_override: headers }),
  }
  return Object.keys(whole).length > 0 ? JSON.stringify(whole) : ''
}

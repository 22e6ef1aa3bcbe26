import { CHANNEL_STATUS, type Channel } from '../../core/channels/channel.ts'
import { objectIn } from '../../core/channels/settings/other-info.ts'
import { findChannelType } from '../../core/channels/types/types.ts'
import type { Column } from '../output/column.ts'
import type { Format } from '../output/format.ts'
import { USED_COLUMN } from './quota.ts'
import { statusColumn } from './status.ts'

export const CHANNEL_COLUMNS: readonly Column<Channel>[] = [
  { name: 'id', rank: 1, value: ({ id }) => String(id), align: 'right' },
  { name: 'name', rank: 2, value: ({ name }) => name, cut: true },
  { name: 'type', rank: 4, value: ({ type }) => findChannelType(type)?.slug ?? String(type) },
  {
    ...statusColumn(CHANNEL_STATUS, { [CHANNEL_STATUS.enabled]: 'good', [CHANNEL_STATUS.disabled]: 'faint' }),
    rank: 3,
  },
  { name: 'group', rank: 9, value: ({ group }) => group, cut: true },
  { name: 'priority', rank: 5, value: ({ priority }) => String(priority), align: 'right' },
  { name: 'weight', rank: 6, value: ({ weight }) => String(weight), align: 'right' },
  {
    name: 'response',
    rank: 7,
    value: ({ response_time }, { t }) =>
      response_time ? `${(response_time / 1000).toFixed(2)} s` : t('label.untested'),
    sort: ({ response_time }) => response_time,
    align: 'right',
  },
  { ...USED_COLUMN, rank: 8 },
  { name: 'models', rank: 10, value: ({ models }) => models, cut: true },
  {
    name: 'base-url',
    value: ({ base_url, type }, { t }) =>
      base_url || `${findChannelType(type)?.baseUrl ?? ''} ${t('general.ofTheType')}`,
    detail: true,
  },
  { name: 'model-mapping', value: ({ model_mapping }) => model_mapping || '-', detail: true },
  { name: 'status-codes', value: ({ status_code_mapping }) => status_code_mapping || '-', detail: true },
  { name: 'test-model', value: ({ test_model }) => test_model || '-', detail: true },
  { name: 'organization', value: ({ openai_organization }) => openai_organization || '-', detail: true },
  { name: 'other', value: ({ other }) => other || '-', detail: true },
  { name: 'keys', value: keysOf, detail: true },
  { name: 'settings', value: ({ setting }) => visibleSettings(setting), detail: true },
  { name: 'auto-ban', value: ({ auto_ban }, { t }) => t(auto_ban ? 'label.on' : 'label.off'), detail: true },
  {
    name: 'balance',
    value: ({ balance, balance_updated_time }, { moment }) =>
      balance_updated_time ? `${balance} (${moment(balance_updated_time)})` : '-',
    detail: true,
  },
  { name: 'tag', value: ({ tag }) => tag || '-', detail: true },
  { name: 'created', value: ({ created_time }, { moment }) => moment(created_time), detail: true },
  { name: 'tested', value: ({ test_time }, { moment }) => moment(test_time), detail: true },
]

function keysOf({ multi_key }: Channel, { t, label }: Format): string {
  if (!multi_key) return '1'
  const { keys, mode, set_aside } = multi_key
  const disabledKeys = set_aside.map(({ index, digest }) => `#${index} ${digest}`).join(', ')
  return `${keys}, ${label(mode)}${disabledKeys && `; ${t('label.disabled')}: ${disabledKeys}`}`
}

/** Returns the settings as JSON, without possible secrets: the proxy's password and header values. */
function visibleSettings(setting: string): string {
  const { header_override, ...rest } = objectIn(setting)
  const headers = Object.keys(typeof header_override === 'object' && header_override !== null ? header_override : {})
  const visible = {
    ...rest,
    ...(typeof rest.proxy === 'string' && { proxy: rest.proxy.replace(/\/\/[^@/]*@/, '//***@') }),
    ...(headers.length > 0 && { header_override: Object.fromEntries(headers.map((name) => [name, '***'])) }),
  }
  return Object.keys(visible).length > 0 ? JSON.stringify(visible) : '-'
}

import { CHANNEL_STATUS, type Channel } from '../../core/channels/channel.ts'
import { findChannelType } from '../../core/channels/types.ts'
import type { Column, Tone } from '../table.ts'
import { wordOf } from '../words.ts'

const tones: Record<number, Tone> = { [CHANNEL_STATUS.enabled]: 'good', [CHANNEL_STATUS.disabled]: 'faint' }

export const CHANNEL_COLUMNS: readonly Column<Channel>[] = [
  { title: 'id', value: ({ id }) => String(id), align: 'right' },
  { title: 'name', value: ({ name }) => name, cut: true },
  { title: 'type', value: ({ type }) => findChannelType(type)?.slug ?? String(type) },
  {
    title: 'status',
    value: ({ status }) => wordOf(CHANNEL_STATUS, status),
    tone: ({ status }) => tones[status] ?? 'bad',
  },
  { title: 'group', value: ({ group }) => group, cut: true },
  { title: 'priority', value: ({ priority }) => String(priority), align: 'right' },
  { title: 'weight', value: ({ weight }) => String(weight), align: 'right' },
  {
    title: 'response',
    value: ({ response_time }) => (response_time ? `${(response_time / 1000).toFixed(2)} s` : 'untested'),
    align: 'right',
  },
  { title: 'used', value: ({ used_quota }, { quota }) => quota(used_quota), align: 'right' },
  { title: 'models', value: ({ models }) => models, cut: true },
  {
    title: 'base url',
    value: ({ base_url, type }) => base_url || `${findChannelType(type)?.baseUrl ?? ''} (of the type)`,
    detail: true,
  },
  { title: 'model mapping', value: ({ model_mapping }) => model_mapping || '-', detail: true },
  { title: 'status codes', value: ({ status_code_mapping }) => status_code_mapping || '-', detail: true },
  { title: 'test model', value: ({ test_model }) => test_model || '-', detail: true },
  { title: 'organization', value: ({ openai_organization }) => openai_organization || '-', detail: true },
  { title: 'other', value: ({ other }) => other || '-', detail: true },
  { title: 'keys', value: keysOf, detail: true },
  { title: 'tag', value: ({ tag }) => tag || '-', detail: true },
  { title: 'created', value: ({ created_time }, { moment }) => moment(created_time), detail: true },
  { title: 'tested', value: ({ test_time }, { moment }) => moment(test_time), detail: true },
]

function keysOf({ multi_key }: Channel): string {
  if (!multi_key) return '1'
  const { keys, mode, set_aside } = multi_key
  const aside = set_aside.map(({ index, digest }) => `#${index} ${digest}`).join(', ')
  return `${keys}, ${mode}${aside && `; set aside: ${aside}`}`
}

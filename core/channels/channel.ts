export type { Channel } from './schema.ts'
export const CHANNEL_STATUS = { enabled: 1, disabled: 2, autoDisabled: 3 } as const

/** All columns except the key. */
export const CHANNEL_ROW_COLUMNS = [
  'id',
  'type',
  'open_ai_organization as openai_organization',
  'test_model',
  'status',
  'name',
  'weight',
  'created_time',
  'test_time',
  'response_time',
  'base_url',
  'other',
  'balance',
  'balance_updated_time',
  'models',
  'group',
  'used_quota',
  'model_mapping',
  'status_code_mapping',
  'priority',
  'auto_ban',
  'other_info',
  'tag',
  'setting',
] as const

/** The fields of a channel that an administrator writes. Absent and null fields keep their value or get the default. */
export interface ChannelFields {
  name?: string | null
  base_url?: string | null
  other?: string | null
  models?: string | null
  group?: string | null
  model_mapping?: string | null
  status_code_mapping?: string | null
  priority?: number | null
  weight?: number | null
  tag?: string | null
  test_model?: string | null
  openai_organization?: string | null
  auto_ban?: number | null
  setting?: string | null
}

/** New channels, one for each key in `key`. With a multi-key mode, one channel gets all keys. */
export interface NewChannels extends ChannelFields {
  type: number
  key: string
  /** 1 or 2. 3 (automatically disabled) becomes 2. */
  status?: number | null
}

/** A new channel with its own name and models. */
export interface NewChannel extends NewChannels {
  name: string
  models: string
}

/**
 * Changes of a channel. An empty `type`, `key` or `status` changes nothing. An empty `name`, `other`, `models`, `group`
 * or `setting` changes nothing either, except with `emptyClears` (`Channels.update`).
 */
export interface ChannelChanges extends ChannelFields {
  type?: number | null
  key?: string | null
  status?: number | null
}

export type { Channel } from './schema.ts'
export const CHANNEL_STATUS = { enabled: 1, disabled: 2, autoDisabled: 3 } as const

/** All columns but the key. */
export const CHANNEL_COLUMNS = [
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

/** What an administrator writes into a channel. Absent and null: as it is, or the default. */
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

/** One channel that an operator adds: with a name of its own, and models to serve. */
export interface NewChannel extends ChannelFields {
  name: string
  type: number
  key: string
  models: string
  /** 1 or 2; a copy of a channel that was disabled automatically begins as disabled. */
  status?: number | null
}

/** Channels that differ in nothing but their key: one for each line of `key`. */
export interface NewChannels extends ChannelFields {
  type: number
  key: string
  /** 1 or 2; a copy of a channel that was disabled automatically begins as disabled. */
  status?: number | null
}

/** An empty `type`, `key`, `status`, `name`, `other`, `models`, `group` or `setting` is no change. */
export interface ChannelChanges extends ChannelFields {
  type?: number | null
  key?: string | null
  status?: number | null
}

/** A table of new-api 0.4.7: its columns with their types, and its indexes. */
export interface PeerTable {
  readonly columns: Readonly<Record<string, string>>
  readonly key?: string
  readonly indexes?: readonly string[]
  readonly unique?: readonly string[]
}

const ID = 'integer PRIMARY KEY AUTOINCREMENT'

export const NEW_API_SCHEMA = {
  users: {
    columns: {
      ...{ id: ID, username: 'text', password: 'text NOT NULL', display_name: 'text', role: 'integer DEFAULT 1' },
      ...{ status: 'integer DEFAULT 1', email: 'text', github_id: 'text', wechat_id: 'text', telegram_id: 'text' },
      ...{ access_token: 'char(32)', quota: 'integer DEFAULT 0', used_quota: 'integer DEFAULT 0' },
      ...{ request_count: 'integer DEFAULT 0', group: "varchar(64) DEFAULT 'default'", aff_code: 'varchar(32)' },
      ...{ aff_count: 'integer DEFAULT 0', aff_quota: 'integer DEFAULT 0', aff_history: 'integer DEFAULT 0' },
      ...{ inviter_id: 'integer', deleted_at: 'datetime', linux_do_id: 'text' },
    },
    indexes: [
      ...['display_name', 'email', 'github_id', 'wechat_id', 'telegram_id', 'linux_do_id', 'inviter_id'],
      ...['deleted_at'],
    ],
    unique: ['username', 'access_token', 'aff_code'],
  },
  tokens: {
    columns: {
      ...{ id: ID, user_id: 'integer', key: 'char(48)', status: 'integer DEFAULT 1', name: 'text' },
      ...{ created_time: 'bigint', accessed_time: 'bigint', expired_time: 'bigint DEFAULT -1' },
      ...{ remain_quota: 'integer DEFAULT 0', unlimited_quota: 'numeric DEFAULT false' },
      ...{ model_limits_enabled: 'numeric DEFAULT false', model_limits: "varchar(1024) DEFAULT ''" },
      ...{ allow_ips: "text DEFAULT ''", used_quota: 'integer DEFAULT 0', group: "text DEFAULT ''" },
      ...{ deleted_at: 'datetime' },
    },
    indexes: ['user_id', 'name', 'deleted_at'],
    unique: ['key'],
  },
  channels: {
    columns: {
      ...{ id: ID, type: 'integer DEFAULT 0', key: 'text NOT NULL', open_ai_organization: 'text' },
      ...{ test_model: 'text', status: 'integer DEFAULT 1', name: 'text', weight: 'integer DEFAULT 0' },
      ...{ created_time: 'bigint', test_time: 'bigint', response_time: 'integer', base_url: "text DEFAULT ''" },
      ...{ other: 'text', balance: 'real', balance_updated_time: 'bigint', models: 'text' },
      ...{ group: "varchar(64) DEFAULT 'default'", used_quota: 'bigint DEFAULT 0', model_mapping: 'text' },
      ...{ status_code_mapping: "varchar(1024) DEFAULT ''", priority: 'bigint DEFAULT 0' },
      ...{ auto_ban: 'integer DEFAULT 1', other_info: 'text', tag: 'text', setting: 'text' },
    },
    indexes: ['name', 'tag'],
  },
  abilities: {
    columns: {
      ...{ group: 'varchar(64)', model: 'varchar(255)', channel_id: 'integer', enabled: 'numeric' },
      ...{ priority: 'bigint DEFAULT 0', weight: 'integer DEFAULT 0', tag: 'text' },
    },
    key: '"group", "model", "channel_id"',
    indexes: ['channel_id', 'priority', 'weight', 'tag'],
  },
  options: { columns: { key: 'text', value: 'text' }, key: '"key"' },
  redemptions: {
    columns: {
      ...{ id: ID, user_id: 'integer', key: 'char(32)', status: 'integer DEFAULT 1', name: 'text' },
      ...{ quota: 'integer DEFAULT 100', created_time: 'bigint', redeemed_time: 'bigint', used_user_id: 'integer' },
      ...{ deleted_at: 'datetime' },
    },
    indexes: ['name', 'deleted_at'],
    unique: ['key'],
  },
  top_ups: {
    columns: {
      ...{ id: ID, user_id: 'integer', amount: 'integer', money: 'real', trade_no: 'text', create_time: 'bigint' },
      ...{ status: 'text' },
    },
    indexes: ['user_id'],
  },
  midjourneys: {
    columns: {
      ...{ id: ID, code: 'integer', user_id: 'integer', action: 'varchar(40)', mj_id: 'text', prompt: 'text' },
      ...{ prompt_en: 'text', description: 'text', state: 'text', submit_time: 'bigint', start_time: 'bigint' },
      ...{ finish_time: 'bigint', image_url: 'text', status: 'varchar(20)', progress: 'varchar(30)' },
      ...{ fail_reason: 'text', channel_id: 'integer', quota: 'integer', buttons: 'text', properties: 'text' },
    },
    indexes: ['user_id', 'action', 'mj_id', 'submit_time', 'start_time', 'finish_time', 'status', 'progress'],
  },
  tasks: {
    columns: {
      ...{ id: ID, created_at: 'bigint', updated_at: 'bigint', task_id: 'varchar(50)', platform: 'varchar(30)' },
      ...{ user_id: 'integer', channel_id: 'integer', quota: 'integer', action: 'varchar(40)' },
      ...{ status: 'varchar(20)', fail_reason: 'text', submit_time: 'bigint', start_time: 'bigint' },
      ...{ finish_time: 'bigint', progress: 'varchar(20)', properties: 'json', data: 'json' },
    },
    indexes: [
      ...['created_at', 'task_id', 'platform', 'user_id', 'channel_id', 'action', 'status', 'submit_time'],
      ...['progress'],
    ],
  },
  quota_data: {
    columns: {
      ...{ id: ID, user_id: 'integer', username: "varchar(64) DEFAULT ''", model_name: "varchar(64) DEFAULT ''" },
      ...{ created_at: 'bigint', token_used: 'integer DEFAULT 0', count: 'integer DEFAULT 0' },
      ...{ quota: 'integer DEFAULT 0' },
    },
    indexes: ['user_id', 'created_at'],
  },
  logs: {
    columns: {
      ...{ id: ID, user_id: 'integer', created_at: 'bigint', type: 'integer', content: 'text' },
      ...{ username: "text DEFAULT ''", token_name: "text DEFAULT ''", model_name: "text DEFAULT ''" },
      ...{ quota: 'integer DEFAULT 0', prompt_tokens: 'integer DEFAULT 0', completion_tokens: 'integer DEFAULT 0' },
      ...{ use_time: 'integer DEFAULT 0', is_stream: 'numeric DEFAULT false', channel_id: 'integer' },
      ...{ channel_name: 'text', token_id: 'integer DEFAULT 0', group: 'text', other: 'text' },
    },
    indexes: ['user_id', 'token_name', 'channel_id', 'token_id', 'group'],
  },
} as const satisfies Record<string, PeerTable>

export function createTable(table: string, { columns, key }: PeerTable): string {
  const parts = Object.entries(columns).map(([name, type]) => `"${name}" ${type}`)
  return `CREATE TABLE "${table}" (${[...parts, ...(key ? [`PRIMARY KEY (${key})`] : [])].join(', ')})`
}

/** Returns the CREATE INDEX statements, to run after the rows are inserted. */
export function createIndexes(table: string, { indexes = [], unique = [] }: PeerTable): string[] {
  return [
    ...unique.map((column) => `CREATE UNIQUE INDEX "idx_${table}_${column}" ON "${table}" ("${column}")`),
    ...indexes.map((column) => `CREATE INDEX "idx_${table}_${column}" ON "${table}" ("${column}")`),
  ]
}

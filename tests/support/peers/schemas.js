// Tables of new-api 0.4.7 and one-api 0.6.11, by their documented columns, with SQLite's types; TYPES converts them for other
// databases.

const USERS = `id integer PRIMARY KEY AUTOINCREMENT, username text UNIQUE, password text NOT NULL, display_name text,
  role integer DEFAULT 1, status integer DEFAULT 1, email text, github_id text, wechat_id text, access_token char(32) UNIQUE,
  quota integer DEFAULT 0, used_quota integer DEFAULT 0, request_count integer DEFAULT 0, "group" varchar(64) DEFAULT 'default',
  aff_code varchar(32) UNIQUE, inviter_id integer`
const TOKENS = `id integer PRIMARY KEY AUTOINCREMENT, user_id integer, "key" char(48) UNIQUE, status integer DEFAULT 1, name text,
  created_time bigint, accessed_time bigint, expired_time bigint DEFAULT -1, remain_quota bigint DEFAULT 0,
  unlimited_quota numeric DEFAULT false, used_quota bigint DEFAULT 0`
const CHANNELS = `id integer PRIMARY KEY AUTOINCREMENT, type integer DEFAULT 0, "key" text NOT NULL, status integer DEFAULT 1, name text,
  weight integer DEFAULT 0, created_time bigint, test_time bigint, response_time integer, base_url text DEFAULT '', other text,
  balance real, balance_updated_time bigint, models text, "group" varchar(64) DEFAULT 'default', used_quota bigint DEFAULT 0,
  model_mapping text, priority bigint DEFAULT 0`
const ABILITIES = `"group" varchar(64), model varchar(255), channel_id integer, enabled numeric, priority bigint DEFAULT 0,
  PRIMARY KEY ("group", model, channel_id)`
const REDEMPTIONS = `id integer PRIMARY KEY AUTOINCREMENT, user_id integer, "key" char(32) UNIQUE, status integer DEFAULT 1, name text,
  quota integer DEFAULT 100, created_time bigint, redeemed_time bigint`
const LOGS = `id integer PRIMARY KEY AUTOINCREMENT, user_id integer, created_at bigint, type integer, content text,
  username text DEFAULT '', token_name text DEFAULT '', model_name text DEFAULT '', quota integer DEFAULT 0,
  prompt_tokens integer DEFAULT 0, completion_tokens integer DEFAULT 0, channel_id integer, is_stream numeric DEFAULT false`
const OPTIONS = `"key" varchar(255) PRIMARY KEY, value text`

export const NEW_API_TABLES = {
  users: `${USERS}, telegram_id text, linux_do_id text, aff_count integer DEFAULT 0, aff_quota integer DEFAULT 0,
    aff_history integer DEFAULT 0, deleted_at datetime`,
  tokens: `${TOKENS}, model_limits_enabled numeric DEFAULT false, model_limits varchar(1024) DEFAULT '', allow_ips text DEFAULT '',
    "group" text DEFAULT '', deleted_at datetime`,
  channels: `${CHANNELS}, open_ai_organization text, test_model text, status_code_mapping varchar(1024) DEFAULT '',
    auto_ban integer DEFAULT 1, other_info text, tag text, setting text`,
  abilities: ABILITIES.replace('PRIMARY KEY', 'weight integer DEFAULT 0, tag text, PRIMARY KEY'),
  redemptions: `${REDEMPTIONS}, used_user_id integer, deleted_at datetime`,
  options: OPTIONS,
  logs: `${LOGS}, use_time integer DEFAULT 0, channel_name text, token_id integer DEFAULT 0, "group" text, other text`,
  midjourneys: `id integer PRIMARY KEY AUTOINCREMENT, code integer, user_id integer, action varchar(40), mj_id text, prompt text,
    prompt_en text, description text, state text, submit_time bigint, start_time bigint, finish_time bigint, image_url text,
    status varchar(20), progress varchar(30), fail_reason text, channel_id integer, quota integer, buttons text, properties text`,
  tasks: `id integer PRIMARY KEY AUTOINCREMENT, created_at bigint, updated_at bigint, task_id varchar(50), platform varchar(30),
    user_id integer, channel_id integer, quota integer, action varchar(40), status varchar(20), fail_reason text,
    submit_time bigint, start_time bigint, finish_time bigint, progress varchar(20), properties json, data json`,
  top_ups: `id integer PRIMARY KEY AUTOINCREMENT, user_id integer, amount integer, money real, trade_no text, create_time bigint,
    status text`,
  quota_data: `id integer PRIMARY KEY AUTOINCREMENT, user_id integer, username varchar(64) DEFAULT '',
    model_name varchar(64) DEFAULT '', created_at bigint, token_used integer DEFAULT 0, count integer DEFAULT 0,
    quota integer DEFAULT 0`,
}

export const ONE_API_TABLES = {
  users: `${USERS}, lark_id text, oidc_id text`,
  tokens: `${TOKENS}, models text, subnet text DEFAULT ''`,
  channels: `${CHANNELS}, config text, system_prompt text`,
  abilities: ABILITIES,
  redemptions: REDEMPTIONS,
  options: OPTIONS,
  logs: `${LOGS}, request_id text DEFAULT '', elapsed_time bigint DEFAULT 0, system_prompt_reset numeric DEFAULT false`,
}

/** Other databases' names for SQLite's types. Order matters. */
const TYPES = {
  mysql: [
    [/integer PRIMARY KEY AUTOINCREMENT/g, 'bigint PRIMARY KEY AUTO_INCREMENT'],
    [/"/g, '`'],
    [/\b(username|trade_no) text UNIQUE/g, '$1 varchar(191) UNIQUE'],
    [/text DEFAULT ''/g, "varchar(191) DEFAULT ''"],
    [/\btext\b/g, 'longtext'],
    [/\binteger\b/g, 'bigint'],
    [/\bnumeric\b/g, 'tinyint(1)'],
    [/\bdatetime\b/g, 'datetime(3)'],
    [/\breal\b/g, 'double'],
  ],
  postgres: [
    [/integer PRIMARY KEY AUTOINCREMENT/g, 'bigserial PRIMARY KEY'],
    [/\binteger\b/g, 'bigint'],
    [/\bnumeric\b/g, 'boolean'],
    [/\bdatetime\b/g, 'timestamptz'],
    [/\breal\b/g, 'double precision'],
  ],
}

/** Returns the statements that create all tables. */
export function createStatements(tables, database = 'sqlite') {
  const rename = (text) => (TYPES[database] ?? []).reduce((so, [from, to]) => so.replace(from, to), text)
  return Object.entries(tables).map(([name, columns]) => rename(`CREATE TABLE "${name}" (${columns})`))
}

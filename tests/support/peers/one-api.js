// Fills a database of one-api, with statements that every database supports.
import { hashSync } from 'bcryptjs'
import { PEER_PASSWORD, peerKey } from './new-api.js'
import { createStatements, ONE_API_TABLES } from './schemas.js'

/** Channel types of one-api that differ from those of related projects, with their fields. */
const CHANNELS = [
  { type: 1, base_url: '' },
  { type: 2, base_url: '' },
  { type: 29, base_url: '' },
  { type: 33, config: '{"region":"us-east-1","ak":"AK","sk":"SK"}' },
  { type: 37, config: '{"user_id":"account"}' },
  { type: 38, base_url: '' },
  { type: 42, config: '{"region":"europe-west1","vertex_ai_adc":"{\\"type\\":\\"service_account\\"}"}' },
  { type: 45, base_url: '' },
  { type: 50, base_url: 'https://llm.example/' },
  { type: 99, base_url: '' },
]

const text = (value) => (value === null || value === undefined ? 'NULL' : `'${String(value).replaceAll("'", "''")}'`)

/** Returns statements that create and fill the tables. `mysql` escapes backslashes for MySQL. */
export function oneApiStatements(database, { users = 20, tokens = 30, logs = 100 } = {}) {
  const q = database === 'mysql' ? (name) => `\`${name}\`` : (name) => `"${name}"`
  const value = (raw) =>
    typeof raw === 'string'
      ? database === 'mysql'
        ? text(raw.replaceAll('\\', '\\\\'))
        : text(raw)
      : raw === null || raw === undefined
        ? 'NULL'
        : typeof raw === 'boolean' && database !== 'postgres'
          ? String(Number(raw))
          : String(raw)
  const insert = (table, rows) => {
    const columns = Object.keys(rows[0])
    const lists = rows.map((row) => `(${columns.map((column) => value(row[column])).join(', ')})`)
    return `INSERT INTO ${q(table)} (${columns.map(q).join(', ')}) VALUES ${lists.join(', ')}`
  }
  const many = (count, row) => Array.from({ length: count }, (_, at) => row(at + 1))
  const password = hashSync(PEER_PASSWORD, 4).replace(/^\$2b/, '$2a')
  return [
    ...createStatements(ONE_API_TABLES, database),
    insert(
      'users',
      many(users, (id) => ({
        id,
        username: id === 1 ? 'root' : id === users ? `deleted_${id}` : `user${id}`,
        password,
        display_name: `User ${id}`,
        role: id === 1 ? 100 : 1,
        status: id === users ? 3 : 1,
        email: '',
        github_id: '',
        wechat_id: '',
        lark_id: id === 3 ? 'lark' : '',
        oidc_id: '',
        access_token: `access-token-of-user-${String(id).padStart(11, '0')}`,
        quota: id * 1000,
        used_quota: id * 10,
        request_count: id,
        group: 'default',
        aff_code: `a${id}`,
        inviter_id: 0,
      })),
    ),
    insert(
      'tokens',
      many(tokens, (id) => ({
        id,
        user_id: (id % users) + 1,
        key: peerKey(id),
        status: 1,
        name: `key ${id}`,
        created_time: 1_700_000_000,
        accessed_time: 1_700_000_000,
        expired_time: -1,
        remain_quota: id * 100,
        unlimited_quota: id % 2 === 1,
        used_quota: id,
        models: id === 2 ? 'gpt-4o,gpt-4o-mini' : null,
        subnet: id === 2 ? '10.0.0.0/8,192.168.1.0/24' : '',
      })),
    ),
    insert(
      'channels',
      CHANNELS.map(({ type, base_url = '', config = '' }, at) => ({
        id: at + 1,
        type,
        key: `key-${at + 1}`,
        status: 1,
        name: `channel ${at + 1}`,
        base_url,
        models: 'gpt-4o',
        group: 'default',
        used_quota: at,
        config,
        system_prompt: at === 0 ? 'Be brief' : null,
      })),
    ),
    insert(
      'logs',
      many(logs, (id) => ({
        id,
        user_id: (id % users) + 1,
        created_at: 1_700_000_000 + id,
        type: id === 1 ? 5 : 2,
        content: '倍率：2.50 × 1.00 × 4.00',
        username: `user${(id % users) + 1}`,
        token_name: 'key',
        model_name: 'gpt-4o',
        quota: id,
        prompt_tokens: 1,
        completion_tokens: 1,
        channel_id: 1,
        is_stream: true,
        request_id: `r${id}`,
        elapsed_time: 1500,
      })),
    ),
    insert('redemptions', [
      {
        id: 1,
        user_id: 1,
        key: '0123456789abcdef0123456789abcdef',
        status: 1,
        name: 'gift',
        quota: 500,
        created_time: 1_700_000_000,
        redeemed_time: 0,
      },
    ]),
    insert('options', [
      { key: 'SystemName', value: 'One House' },
      { key: 'LarkClientId', value: 'x' },
    ]),
  ]
}

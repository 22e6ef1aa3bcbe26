import { createHash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import mysql from 'mysql2/promise'
import pg from 'pg'
import { createNewApiDatabase, PEER_PASSWORD, peerKey } from '../support/peers/new-api.js'
import { oneApiStatements } from '../support/peers/one-api.js'

/**
 * Large databases of other gateways.
 *
 * @typedef {{ folder: string, server?: string | undefined, upstream: string }} Place
 * @typedef {{ words: string[], signIn?: { username: string, password: string }, key: string, model: string, remove: () => Promise<void> }} LargeSource
 */

const USERS = 50_000
const TOKENS = 120_000
const LOGS = 2_000_000
const NAME = `bench_import_${process.pid}`

/** @type {Record<string, (place: Place) => Promise<LargeSource>>} */
const SOURCES = { 'new-api': newApi, 'one-api': oneApi, litellm }

/** Creates a source with 50 000 users, 120 000 keys and, except LiteLLM, 2 million log rows. @param {string} product @param {Place} place */
export async function createLargeSource(product, place) {
  const create = SOURCES[product]
  if (!create) throw new Error(`unknown product ${product}: use ${Object.keys(SOURCES).join(', ')}`)
  return create(place)
}

/** @param {Place} place @returns {Promise<LargeSource>} */
async function newApi({ folder }) {
  const file = join(folder, 'one-api.db')
  await createNewApiDatabase(file, { users: USERS, tokens: TOKENS, channels: 300, logs: LOGS })
  return { words: [file], ...used(11), remove: async () => {} }
}

/** Creates a database on MariaDB, whose sequence tables multiply the rows of the small generator. @param {Place} place @returns {Promise<LargeSource>} */
async function oneApi({ server = 'mysql://root@127.0.0.1:3306' }) {
  const client = await mysql.createConnection(server)
  await client.query(`CREATE DATABASE ${NAME}`)
  await client.query(`USE ${NAME}`)
  const small = { users: 20, tokens: 30, logs: 100 }
  for (const statement of oneApiStatements('mysql', small)) await client.query(statement)
  await multiply(client, 'users', small.users, USERS, {
    id: 'n.seq',
    username: "CONCAT('user', n.seq)",
    access_token: "CONCAT('access-token-of-user-', LPAD(n.seq, 11, '0'))",
    aff_code: "CONCAT('a', n.seq)",
    quota: '500000 + n.seq % 100003',
  })
  await multiply(client, 'tokens', small.tokens, TOKENS, {
    id: 'n.seq',
    key: "CONCAT('peer', LPAD(n.seq, 44, '0'))",
    user_id: 'n.seq % 50000 + 1',
    remain_quota: 'n.seq % 100003',
  })
  await multiply(client, 'logs', small.logs, LOGS, {
    id: 'n.seq',
    request_id: "CONCAT('r', n.seq)",
    user_id: 'n.seq % 50000 + 1',
    username: "CONCAT('user', n.seq % 50000 + 1)",
    created_at: '1700000000 + n.seq',
    quota: 'n.seq % 5003',
  })
  const remove = async () => {
    await client.query(`DROP DATABASE ${NAME}`)
    await client.end()
  }
  return { words: [new URL(NAME, `${server}/`).href], ...used(31), remove }
}

/**
 * Copies row 5 of a table until the table has `count` rows. The copies have other values in the columns of `changed`.
 *
 * @param {mysql.Connection} client @param {string} table @param {number} from @param {number} count @param {Record<string, string>} changed
 */
async function multiply(client, table, from, count, changed) {
  const [rows] = await client.query(`SHOW COLUMNS FROM ${table}`)
  const columns = /** @type {{ Field: string }[]} */ (rows).map(({ Field }) => Field)
  const names = columns.map((name) => `\`${name}\``)
  const values = columns.map((name) => changed[name] ?? `t.\`${name}\``)
  await client.query(
    `INSERT INTO ${table} (${names}) SELECT ${values} FROM ${table} t JOIN seq_${from + 1}_to_${count} n WHERE t.id = 5`,
  )
}

/** @param {Place} place @returns {Promise<LargeSource>} */
async function litellm({ folder, server = 'postgres://postgres@127.0.0.1:5432', upstream }) {
  const admin = new pg.Client({ connectionString: `${server}/postgres` })
  await admin.connect()
  await admin.query(`CREATE DATABASE ${NAME}`)
  const url = `${server}/${NAME}`
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const key = 'sk-litellm-benchmark-key-of-user-7'
  await client.query(`
    CREATE TABLE "LiteLLM_UserTable" (user_id text PRIMARY KEY, user_alias text, user_email text, user_role text, spend double precision DEFAULT 0,
      max_budget double precision, models text[], rpm_limit bigint, tpm_limit bigint, max_parallel_requests integer, budget_duration text);
    CREATE TABLE "LiteLLM_TeamTable" (team_id text PRIMARY KEY, team_alias text, spend double precision DEFAULT 0, max_budget double precision,
      blocked boolean DEFAULT false, models text[], tpm_limit bigint, metadata jsonb);
    CREATE TABLE "LiteLLM_VerificationToken" (token text PRIMARY KEY, key_name text, key_alias text, spend double precision DEFAULT 0,
      max_budget double precision, budget_duration text, models text[], user_id text, team_id text, expires timestamp(3), blocked boolean,
      rpm_limit bigint, max_parallel_requests integer);
    INSERT INTO "LiteLLM_UserTable" SELECT 'u' || i, 'User ' || i, 'user' || i || '@example.com', 'internal_user', i % 7, 10 + i % 90, '{}',
      CASE WHEN i % 10 = 0 THEN 60 END, NULL, NULL, CASE WHEN i % 10 = 0 THEN '30d' END FROM generate_series(1, ${USERS}) i;
    INSERT INTO "LiteLLM_TeamTable" SELECT 't' || i, 'Team ' || i, i % 5, 100, false, '{}', NULL, NULL FROM generate_series(1, 500) i;
    INSERT INTO "LiteLLM_VerificationToken" SELECT encode(sha256(('key ' || i)::bytea), 'hex'), 'sk-...', 'key ' || i, i % 3, 5, NULL, '{}',
      'u' || i % ${USERS} + 1, CASE WHEN i % 100 = 0 THEN 't' || i % 500 + 1 END, NULL, false, NULL, NULL FROM generate_series(1, ${TOKENS}) i;`)
  await client.query('UPDATE "LiteLLM_VerificationToken" SET token = $1, max_budget = 5 WHERE key_alias = \'key 7\'', [
    createHash('sha256').update(key).digest('hex'),
  ])
  await client.end()
  const config = join(folder, 'config.yaml')
  writeFileSync(
    config,
    `model_list:\n  - model_name: gpt-4o\n    litellm_params: { model: openai/gpt-4o, api_key: sk-one, api_base: "${upstream}/v1" }\n`,
  )
  const remove = async () => {
    await admin.query(`DROP DATABASE ${NAME}`)
    await admin.end()
  }
  return { words: [config, '--source-database', url], key, model: 'gpt-4o', remove }
}

/** Returns the credentials to use, for a source whose names and keys are derived from the ids. @param {number} id */
const used = (id) => ({
  signIn: { username: `user${id}`, password: PEER_PASSWORD },
  key: `sk-${peerKey(id)}`,
  model: 'gpt-4o',
})

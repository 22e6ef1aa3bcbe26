// Creates databases of new-api of any size; deterministic.
import { hashSync } from 'bcryptjs'
import sqlite3 from 'sqlite3'
import { createStatements, NEW_API_TABLES } from './schemas.js'

export const PEER_PASSWORD = 'password of old'
const FIRST_SECOND = 1_700_000_000
const MODELS = ['gpt-4o', 'gpt-4o-mini', 'claude-3-5-sonnet-20241022', 'deepseek-chat', 'gemini-1.5-pro', 'house-model']

/** Returns the key of a token, without `sk-`. */
export const peerKey = (id) => `peer${String(id).padStart(44, '0')}`

const numbers = (count) => `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${count})`
const model = (expression) =>
  `CASE ${expression} ${MODELS.map((name, at) => `WHEN ${at} THEN '${name}'`).join(' ')} END`

/**
 * Fills a new file. Balances and logs depend only on the ids. User 1 is root. `journal`: WAL or DELETE, like a running
 * program's.
 */
export async function createNewApiDatabase(
  file,
  { users = 20, tokens = 40, channels = 5, logs = 200, counts = Math.min(logs, 50_000), journal = 'DELETE' } = {},
) {
  const db = new sqlite3.Database(file)
  const exec = (sql) => new Promise((done, fail) => db.exec(sql, (error) => (error ? fail(error) : done())))
  await exec(`PRAGMA journal_mode = ${journal}; PRAGMA synchronous = OFF`)
  await exec(createStatements(NEW_API_TABLES).join(';\n'))
  const hash = hashSync(PEER_PASSWORD, 4).replace(/^\$2b/, '$2a')
  const other = `'{"model_ratio":1.25,"model_price":-1,"completion_ratio":4,"group_ratio":1}'`
  await exec(`
    BEGIN;
    INSERT INTO users (id, username, password, display_name, role, status, email, quota, used_quota, request_count, "group", aff_code, inviter_id)
      ${numbers(users)} SELECT i, CASE i WHEN 1 THEN 'root' ELSE 'user' || i END, '${hash}', 'User ' || i,
        CASE i WHEN 1 THEN 100 WHEN 2 THEN 10 ELSE 1 END, 1, CASE WHEN i % 3 = 0 THEN 'user' || i || '@example.com' ELSE '' END,
        CASE WHEN i % 97 = 0 THEN -i ELSE 500000 + (i * 7919) % 1000003 END, (i * 104729) % 500009, i % 1000, 'default',
        'a' || i, CASE WHEN i > 10 THEN i / 10 ELSE 0 END FROM n;
    INSERT INTO tokens (id, user_id, "key", status, name, created_time, accessed_time, expired_time, remain_quota, unlimited_quota, used_quota)
      ${numbers(tokens)} SELECT i, (i * 31) % ${users} + 1, 'peer' || substr('00000000000000000000000000000000000000000000' || i, -44),
        1, 'key ' || i, ${FIRST_SECOND} + i, ${FIRST_SECOND} + i, -1, CASE WHEN i % 2 THEN -1 ELSE (i * 613) % 100003 END, i % 2,
        (i * 17) % 5003 FROM n;
    INSERT INTO channels (id, type, "key", status, name, created_time, base_url, models, "group", used_quota, priority, model_mapping, setting)
      ${numbers(channels)} SELECT i, 1, 'sk-upstream-' || i, CASE WHEN i % 10 = 9 THEN 3 ELSE 1 END, 'channel ' || i, ${FIRST_SECOND}, '',
        '${MODELS.join(',')}', 'default', i * 1000, i % 3, '', '' FROM n;
    INSERT INTO logs (id, user_id, created_at, type, content, username, token_name, model_name, quota, prompt_tokens, completion_tokens,
        channel_id, is_stream, use_time, token_id, "group", other)
      ${numbers(logs)} SELECT i, (i * 37) % ${users} + 1, ${FIRST_SECOND} + i * 10, 2, '', 'user' || ((i * 37) % ${users} + 1),
        'key ' || ((i * 53) % ${tokens} + 1), ${model(`i % ${MODELS.length}`)}, i % 5003, i % 4001, i % 997,
        i % ${channels} + 1, i % 2, i % 30, (i * 53) % ${tokens} + 1, 'default', ${other} FROM n;
    INSERT INTO quota_data (id, user_id, username, model_name, created_at, token_used, count, quota)
      ${numbers(counts)} SELECT i, i % ${users} + 1, 'user' || (i % ${users} + 1), ${model(`i % ${MODELS.length}`)},
        (${FIRST_SECOND} + i * 36) / 3600 * 3600, i % 1009, 1 + i % 3, i % 2003 FROM n;
    INSERT INTO redemptions (id, user_id, "key", status, name, quota, created_time, redeemed_time, used_user_id)
      ${numbers(Math.min(users, 10))} SELECT i, 1, 'code' || substr('0000000000000000000000000000' || i, -28),
        CASE WHEN i % 2 THEN 3 ELSE 1 END, 'gift', 1000 * i, ${FIRST_SECOND}, CASE WHEN i % 2 THEN ${FIRST_SECOND} ELSE 0 END,
        CASE WHEN i % 2 THEN i ELSE 0 END FROM n;
    INSERT INTO top_ups (id, user_id, amount, money, trade_no, create_time, status)
      ${numbers(Math.min(users, 10))} SELECT i, i, i, i * 7.3, 'order-' || i, ${FIRST_SECOND}, CASE WHEN i % 3 THEN 'success' ELSE 'pending' END FROM n;
    INSERT INTO midjourneys (id, code, user_id, action, mj_id, prompt, submit_time, status, progress, channel_id, quota)
      VALUES (1, 1, 1, 'IMAGINE', 'mj-1', 'a cat', ${FIRST_SECOND}000, 'SUCCESS', '100%', 1, 100);
    INSERT INTO tasks (id, created_at, updated_at, task_id, platform, user_id, channel_id, quota, action, status, progress, properties, data)
      VALUES (1, ${FIRST_SECOND}, ${FIRST_SECOND}, 'task-1', 'suno', 1, 1, 500, 'MUSIC', 'SUCCESS', '100%', '{"input":""}', '[{"id":"a"}]');
    INSERT INTO options VALUES ('SystemName', 'Old House'), ('GroupRatio', '{"default":1,"vip":0.5}'),
      ('ModelRatio', '{"gpt-4o":1.25,"house-model":3}'), ('QuotaForNewUser', '1000'), ('GitHubClientSecret', 'secret of github'),
      ('Theme', 'air'), ('ModelOfTheHouse', 'x'), ('Price', 'seven');
    COMMIT`)
  await new Promise((done) => db.close(done))
}

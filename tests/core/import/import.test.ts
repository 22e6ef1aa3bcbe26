import { copyFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { post } from '../../support/chat.ts'
import { MODEL, serve, setPrices } from '../../support/gateway.ts'
import { completion, sendJson, startUpstream, usage } from '../../support/hand-made-upstream.ts'
import { edit, importFrom, openEmpty, peer, tableOf } from '../../support/peers/imports.ts'
import { PEER_PASSWORD, peerKey } from '../../support/peers/new-api.js'
import { onBoth, testFolder } from '../../support/toolkit.ts'

onBoth('an import of new-api', (open, database) => {
  test('imports every row with equal sums into an empty database, and the ledger balances', async () => {
    const toolkit = await openEmpty(database)
    const file = await peer({ users: 200, tokens: 300, channels: 7, logs: 1500 })

    const report = await importFrom(toolkit, file)

    expect(report.skipped).toEqual([])
    for (const { rows, imported, table } of report.tables.filter(({ table }) => table !== 'options')) {
      expect({ table, imported }).toEqual({ table, imported: rows })
    }
    const sums = report.tables.flatMap(({ sums }) => Object.values(sums))
    expect(sums.length).toBeGreaterThan(5)
    expect(sums.filter(({ source, target }) => source !== target)).toEqual([])
    expect(report.changed).toContainEqual({ table: 'users', id: 97, what: 'the balance is -97: it is kept' })
    const proof = await toolkit.ledger.verify()
    expect(proof).toMatchObject({ equal: true, users: 200, quota: tableOf(report, 'users').sums.quota?.source })
    expect(await toolkit.db.reader('ledger_entries').distinct().pluck('kind')).toEqual(['opening'])
    expect((await toolkit.db.reader('abilities').count({ n: '*' }).first())?.n).toBe(7 * 6)
    expect((await toolkit.accounts.findRoot())?.username).toBe('root')
  })

  test('lets users sign in with their old passwords, which become argon2id, and use their old keys', async () => {
    const fixture = await open()
    const { toolkit, root } = fixture
    const file = await peer({}, 'UPDATE channels SET status = 2')
    await importFrom(toolkit, file)
    const upstream = await startUpstream((exchange) => sendJson(exchange, completion('hi', usage(10, 1))))
    await setPrices(fixture)
    await fixture.channel({ base_url: upstream.url, models: MODEL })
    const gateway = await serve(fixture)

    const { user } = await toolkit.accounts.login({ username: 'user5', password: PEER_PASSWORD })
    expect(await toolkit.db.reader('users').where({ id: user.id }).pluck('password')).toEqual([
      expect.stringMatching(/^\$argon2id/),
    ])
    await expect(toolkit.accounts.login({ username: 'user5', password: 'wrong' })).rejects.toMatchObject({
      code: 'CREDENTIALS_WRONG',
    })

    const row = await toolkit.db.reader('tokens').where({ name: 'key 3' }).first('user_id')
    const before = (await toolkit.accounts.get(root, row.user_id)).quota
    const answer = await post({
      url: gateway.url,
      key: `sk-${peerKey(3)}`,
      body: { model: MODEL, messages: [{ role: 'user', content: 'hi' }] },
    })
    expect(answer.status).toBe(200)
    const after = (await toolkit.accounts.get(root, row.user_id)).quota
    expect(before - after).toBe(3 * (10 + 7))
    expect(await toolkit.ledger.verify()).toMatchObject({ equal: true })
  })

  test('a second import of the same source, or of its copy, imports nothing; a grown one imports the new rows', async () => {
    const toolkit = await openEmpty(database)
    const file = await peer({ users: 20, tokens: 30, logs: 100 })
    await importFrom(toolkit, file)
    const counts = async () =>
      Promise.all(
        ['users', 'tokens', 'channels', 'logs', 'quota_data', 'ledger_entries', 'redemptions'].map((table) =>
          toolkit.db.reader(table).count({ n: '*' }).first(),
        ),
      )
    const before = await counts()

    await importFrom(toolkit, file)
    const copy = join(await testFolder(), 'copy.db')
    await copyFile(file, copy)
    await importFrom(toolkit, copy)
    expect(await counts()).toEqual(before)

    await edit(
      file,
      `
      INSERT INTO users (id, username, password, quota) VALUES (21, 'late', '', 77);
      INSERT INTO tokens (id, user_id, "key", remain_quota) VALUES (31, 21, 'latekey', 5);
      INSERT INTO logs (id, user_id, created_at, type, quota, model_name) VALUES (101, 3, 1700009000, 2, 40, 'gpt-4o');
      UPDATE users SET quota = quota - 40, used_quota = used_quota + 40, password = '' WHERE id = 3;
      UPDATE users SET request_count = request_count + 1;
      UPDATE tokens SET status = 2 WHERE id = 4;
      DELETE FROM tokens WHERE id = 5;
      UPDATE quota_data SET quota = quota + 40, count = count + 1 WHERE id = 100;
      INSERT INTO quota_data (id, user_id, username, model_name, created_at, count, quota) VALUES (101, 3, 'user3', 'gpt-4o', 1700010000, 1, 9)`,
    )
    const again = await importFrom(toolkit, file, { sinceLast: true })

    expect(tableOf(again, 'users')).toMatchObject({ imported: 1, known: 20, updated: 1 })
    expect(tableOf(again, 'tokens')).toMatchObject({ imported: 1, known: 30, updated: 1 })
    expect(tableOf(again, 'logs')).toMatchObject({ imported: 1 })
    expect(tableOf(again, 'quota_data')).toMatchObject({ imported: 2 })
    const { quota } = tableOf(again, 'users').sums as { quota: { source: number; target: number } }
    expect(quota.target).toBe(quota.source)
    expect(await toolkit.ledger.verify()).toMatchObject({ equal: true, quota: quota.source })
    expect(await toolkit.db.reader('tokens').whereIn('id', [4, 5]).pluck('status')).toEqual([2, 2])
    expect(await toolkit.db.reader('users').where({ id: 3 }).pluck('password')).toEqual([''])
  })

  test('local spending is kept when source changes are imported', async () => {
    const fixture = await open()
    const file = await peer()
    const { toolkit } = fixture
    await importFrom(toolkit, file)
    const [user] = await toolkit.db
      .reader('users')
      .where({ username: 'user5' })
      .select('id', 'username', 'role', 'quota')
    await fixture.charge(user, { quota: 1000 })
    await edit(file, `UPDATE users SET quota = quota - 250, used_quota = used_quota + 250 WHERE username = 'user5'`)

    await importFrom(toolkit, file, { sinceLast: true })

    expect(await toolkit.db.reader('users').where({ id: user.id }).pluck('quota')).toEqual([user.quota - 1250])
    expect(await toolkit.ledger.verify()).toMatchObject({ equal: true })
  })

  test('in a database in use, colliding ids and names change and are listed, and no user becomes root', async () => {
    const fixture = await open()
    const { toolkit } = fixture
    for (const name of ['user2', 'user2-2', 'user3']) await fixture.user({ username: name })
    await fixture.channel({ name: 'channel 1' })
    const file = await peer()

    const report = await importFrom(toolkit, file)

    expect(report.remapped.filter(({ table }) => table === 'users').map(({ from }) => from)).toEqual([1, 2, 3, 4])
    expect(report.changed).toContainEqual({ table: 'users', id: 2, what: 'the name user2 is taken: user2-3 instead' })
    expect(report.changed).toContainEqual({
      table: 'users',
      id: 1,
      what: 'this gateway already has a root user: imported as an administrator',
    })
    expect(report.changed).toContainEqual({
      table: 'channels',
      id: 1,
      what: 'the name channel 1 is taken: channel 1-2 instead',
    })
    const moved = report.remapped.find(({ table, from }) => table === 'users' && from === 2)
    const owners = await toolkit.db.reader('tokens').whereIn('name', ['key 11', 'key 31']).pluck('user_id')
    expect(owners).toContain(moved?.to)
    const log = await toolkit.db.reader('logs').where({ user_id: moved?.to }).first('username')
    expect(log).toEqual({ username: 'user2-3' })
    expect(await toolkit.db.reader('users').where('role', '>=', 100).pluck('username')).toEqual(['root'])
    expect(await toolkit.ledger.verify()).toMatchObject({ equal: true })
    const late = await fixture.user({ username: 'latecomer' })
    expect(late.id).toBeGreaterThan(Math.max(...report.remapped.map(({ to }) => to)))
  })

  test('odd rows are harmless: each is imported with its valid parts, or skipped with a reason', async () => {
    const toolkit = await openEmpty(database)
    const file = await peer(
      { users: 10, tokens: 10, channels: 2, logs: 20 },
      `
      INSERT INTO users (id, username, password, role, status, quota, "group", email, access_token, aff_code) VALUES
        (11, 'User5', '', NULL, NULL, NULL, NULL, 'USER3@example.com', NULL, NULL),
        (12, '', 'plain text', 7, 9, -500, 'nowhere', NULL, 'token-of-12', NULL);
      INSERT INTO users (id, username, password, quota, deleted_at) VALUES (13, 'gone', '', 5, '2025-01-02 03:04:05.123+08:00');
      CREATE TABLE t2 AS SELECT * FROM tokens; DROP TABLE tokens; ALTER TABLE t2 RENAME TO tokens;
      INSERT INTO tokens (id, user_id, "key", status, remain_quota, unlimited_quota, model_limits_enabled, model_limits, allow_ips) VALUES
        (11, 3, '${peerKey(1)}', 1, 5, 0, 0, '', ''), (12, 99, 'orphan', 1, 5, 0, 0, '', ''), (13, 3, NULL, 1, 5, 0, 0, '', ''),
        (14, 3, 'odd', 8, NULL, NULL, 1, ' gpt-4o , ,gpt-4o-mini', '1.2.3.4' || char(10) || 'nonsense'), (15, 3, 'shut', 1, 5, 1, 0, '', 'nonsense');
      INSERT INTO channels (id, type, "key", name, models, "group", model_mapping, status, setting) VALUES
        (3, 1, 'k1' || char(10) || 'k2', 'channel 1', ' gpt-4o , ,gpt-4o', NULL, 'null', 0, 'broken'), (4, 777, 'k', NULL, NULL, '', '{"a":"b"}', 1, NULL);
      INSERT INTO logs (id, user_id, created_at, type, content, username, model_name, quota, channel_id, token_id) VALUES
        (21, 99, 1700000000, 2, NULL, 'orphan', NULL, 7, NULL, NULL), (22, NULL, NULL, NULL, 'a' || char(0) || 'b', NULL, NULL, NULL, 99, 99);
      INSERT INTO redemptions (id, "key", status, quota) VALUES (50, '', 1, 5), (51, 'zero', 1, 0);
      DELETE FROM options WHERE "key" = 'QuotaPerUnit'; INSERT INTO options VALUES ('QuotaPerUnit', 'many');
      ALTER TABLE users ADD COLUMN remark text; CREATE TABLE two_fas (id integer)`,
    )

    const report = await importFrom(toolkit, file)

    expect(report.skipped).toEqual(
      expect.arrayContaining([
        { table: 'tokens', id: 11, what: 'another token has its key' },
        { table: 'tokens', id: 12, what: 'its user 99 does not exist' },
        { table: 'tokens', id: 13, what: 'it has no key' },
        { table: 'redemptions', id: 50, what: 'it has no code' },
      ]),
    )
    expect(report.unknownColumns).toEqual([{ table: 'users', columns: ['remark'] }])
    expect(report.unknownTables).toEqual(['two_fas'])
    expect(report.warnings.join()).toContain('The group nowhere (1 row) has no ratio in GroupRatio')
    expect(report.warnings.join()).toContain('QuotaPerUnit of the source is "many", which is not a number')
    const users = await toolkit.db
      .reader('users')
      .whereIn('id', [11, 12, 13])
      .orderBy('id')
      .select('username', 'role', 'status', 'quota', 'group', 'email', 'deleted_at', 'password')
    expect(users).toEqual([
      { username: 'User5', role: 1, status: 1, quota: 0, group: 'default', email: '', deleted_at: null, password: '' },
      {
        username: 'user-12',
        role: 1,
        status: 2,
        quota: -500,
        group: 'nowhere',
        email: '',
        deleted_at: null,
        password: '',
      },
      expect.objectContaining({ username: 'gone', deleted_at: '2025-01-01T19:04:05.123Z' }),
    ])
    const tokens = await toolkit.db
      .reader('tokens')
      .whereIn('id', [14, 15])
      .orderBy('id')
      .select('status', 'model_limits', 'allow_ips')
    expect(tokens).toEqual([
      { status: 2, model_limits: 'gpt-4o,gpt-4o-mini', allow_ips: '1.2.3.4' },
      { status: 2, model_limits: '', allow_ips: '' },
    ])
    const channels = await toolkit.db
      .reader('channels')
      .whereIn('id', [3, 4])
      .orderBy('id')
      .select('name', 'type', 'models', 'group', 'status', 'model_mapping', 'setting')
    expect(channels).toEqual([
      {
        name: 'channel 1-2',
        type: 1,
        models: 'gpt-4o',
        group: 'default',
        status: 2,
        model_mapping: null,
        setting: '{"multi_key_mode":"random"}',
      },
      {
        name: 'channel-4',
        type: 777,
        models: '',
        group: 'default',
        status: 2,
        model_mapping: '{"a":"b"}',
        setting: '',
      },
    ])
    const logs = await toolkit.db
      .reader('logs')
      .whereIn('id', [21, 22])
      .orderBy('id')
      .select('user_id', 'username', 'channel_id', 'token_id', 'content')
    expect(logs).toEqual([
      { user_id: 0, username: 'orphan', channel_id: 0, token_id: 0, content: '' },
      { user_id: 0, username: '', channel_id: 0, token_id: 0, content: 'ab' },
    ])
    expect(await toolkit.ledger.verify()).toMatchObject({ equal: true })
  })
})

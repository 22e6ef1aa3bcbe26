import { expect, test } from 'vitest'
import { CHANNEL_STATUS } from '../../../core/channels/channel.ts'
import { edit, importFrom, openEmpty, peer, tableOf } from '../../support/peers/imports.ts'
import { onBoth } from '../../support/toolkit.ts'

const SIZE = { users: 4, tokens: 4, channels: 1, logs: 0 }
/** Copies a table without its primary key, and adds a row with a used id. */
const twice = (table: string, changes: string) =>
  `CREATE TABLE copied AS SELECT * FROM ${table}; DROP TABLE ${table}; ALTER TABLE copied RENAME TO ${table};
   INSERT INTO ${table} SELECT * FROM ${table} WHERE id = 1; UPDATE ${table} SET ${changes} WHERE rowid = (SELECT MAX(rowid) FROM ${table});`

onBoth('an import of a source', (open, database) => {
  test('without primary keys skips the second row of an id, and the dry run lists it', async () => {
    const toolkit = await openEmpty(database)
    const file = await peer(
      SIZE,
      twice('users', `username = 'double'`) +
        twice('tokens', `"key" = 'double'`) +
        twice('channels', `name = 'double'`) +
        twice('redemptions', `"key" = 'double'`) +
        twice('top_ups', `trade_no = 'double'`) +
        twice('tasks', `task_id = 'double'`) +
        twice('midjourneys', `mj_id = 'double'`),
    )
    const tables = ['users', 'channels', 'tokens', 'redemptions', 'top_ups', 'midjourneys', 'tasks']
    const skipped = tables.map((table) => ({ table, id: 1, what: 'its id is used twice' }))
    expect((await importFrom(toolkit, file, { dryRun: true })).skipped).toEqual(skipped)
    const report = await importFrom(toolkit, file)
    expect(report.skipped).toEqual(skipped)
    expect(tableOf(report, 'users')).toMatchObject({ rows: 5, imported: 4, skipped: 1 })
    expect(await toolkit.ledger.verify()).toMatchObject({ equal: true, users: 4 })
    expect((await importFrom(toolkit, file)).skipped).toEqual(skipped)
  })

  test('skips rows whose ids are no positive integers, and does not take them for others', async () => {
    const toolkit = await openEmpty(database)
    const file = await peer(
      SIZE,
      `INSERT INTO users (id, username, password) VALUES (-5, 'minus', ''), (0, 'zero', ''), (9223372036854775807, 'large', '')`,
    )
    const report = await importFrom(toolkit, file)
    const what = 'its id is not a number from 1 to 9007199254740991'
    expect(report.skipped.map((row) => [row.table, row.what])).toEqual(Array(3).fill(['users', what]))
    expect(tableOf(report, 'users')).toMatchObject({ imported: 4, skipped: 3 })
    expect(await toolkit.db.reader('users').orderBy('id').first('id', 'username', 'role')).toEqual({
      ...{ id: 1, username: 'root', role: 100 },
    })
  })

  test('with sums beyond 64 bits is imported, and its sums are compared', async () => {
    const toolkit = await openEmpty(database)
    const file = await peer(
      { ...SIZE, logs: 3 },
      'UPDATE logs SET quota = 9223372036854775807; INSERT INTO quota_data (id, quota) VALUES (900, 9223372036854775807), (901, 9223372036854775807)',
    )
    expect((await importFrom(toolkit, file, { dryRun: true })).tables).not.toEqual([])
    const report = await importFrom(toolkit, file)
    expect(tableOf(report, 'logs')).toMatchObject({ imported: 3 })
    expect(tableOf(report, 'logs').sums.quota?.source).toBeGreaterThan(2e19)
  })

  test('disables and lists channels of unsupported types', async () => {
    const toolkit = await openEmpty(database)
    const file = await peer(
      SIZE,
      `INSERT INTO channels (id, type, "key", status, name, models, "group") VALUES
        (2, 50, 'k', 1, 'b', 'm', 'default'), (3, 999, 'k', 1, 'c', 'm', 'default'), (4, 11, 'k', 1, 'd', 'm', 'default')`,
    )
    const { changed } = await importFrom(toolkit, file)
    expect(changed.filter(({ table }) => table === 'channels')).toEqual([
      { table: 'channels', id: 2, what: 'type 50 is not known here: the channel is disabled' },
      { table: 'channels', id: 3, what: 'type 999 is not known here: the channel is disabled' },
      { table: 'channels', id: 4, what: 'type 11 (Google PaLM 2) is not served: the channel is disabled' },
    ])
    expect(await toolkit.db.reader('channels').orderBy('id').select('type', 'status')).toEqual([
      { type: 1, status: 1 },
      { type: 50, status: 2 },
      { type: 999, status: 2 },
      { type: 11, status: 2 },
    ])
  })

  test('keeps keys disabled that are disabled at the source or were disabled by hand', async () => {
    const { toolkit, root } = await open()
    const info = `{"is_multi_key":true,"multi_key_size":3,"multi_key_mode":"polling","multi_key_status_list":{"1":2,"2":3},
      "multi_key_disabled_reason":{"2":"no money"},"multi_key_disabled_time":{"2":1700000001}}`
    const keys = (...lines: string[]) => lines.map((line) => `'${line}'`).join(' || char(10) || ')
    const file = await peer(
      SIZE,
      `ALTER TABLE channels ADD COLUMN channel_info text;
       UPDATE channels SET "key" = ${keys('k1', 'k2', 'k3')}, channel_info = '${info}', other_info = '{"a":1}' WHERE id = 1;
       INSERT INTO channels (id, type, "key", status, name, models, "group", channel_info) VALUES
        (2, 1, ${keys('k1', 'k2')}, 1, 'all', 'm', 'default', '{"multi_key_status_list":{"0":3,"1":3,"5":3}}')`,
    )
    const { changed } = await importFrom(toolkit, file)

    expect(changed.filter(({ table }) => table === 'channels')).toEqual([
      { table: 'channels', id: 1, what: 'key 2 of 3 is disabled, as at the source' },
      { table: 'channels', id: 1, what: 'key 3 of 3 is disabled, as at the source' },
      { table: 'channels', id: 2, what: 'key 1 of 2 is disabled, as at the source' },
      { table: 'channels', id: 2, what: 'key 2 of 2 is disabled, as at the source' },
      {
        table: 'channels',
        id: 2,
        what: 'key 6 is disabled at the source, but the channel has no such key: check which keys should be disabled here',
      },
      { table: 'channels', id: 2, what: 'all its keys are disabled: so is the channel' },
    ])
    const channel = await toolkit.channels.get(root, 1)
    expect(channel.multi_key?.set_aside).toMatchObject([
      { reason: 'disabled by hand at the source of the import' },
      { reason: 'no money', time: 1_700_000_001 },
    ])
    expect(JSON.parse(channel.other_info)).toMatchObject({ a: 1 })
    expect((await toolkit.channels.get(root, 2)).status).toBe(CHANNEL_STATUS.disabled)
    const [byHand, automatic] = (channel.multi_key?.set_aside ?? []).map(({ digest }) => digest) as [string, string]
    expect(await toolkit.channels.enableKeyAutomatically(root, 1, byHand)).toBeUndefined()
    expect(await toolkit.channels.enableKeyAutomatically(root, 1, automatic)).toBe('key')

    await edit(file, `UPDATE channels SET channel_info = '{"multi_key_status_list":{"0":3}}' WHERE id = 1`)
    expect((await importFrom(toolkit, file)).changed).toEqual([
      {
        table: 'channels',
        id: 1,
        what: 'the disabled keys have changed at the source since the last import: change them here by hand',
      },
    ])
    expect((await toolkit.channels.get(root, 1)).multi_key?.set_aside.map(({ digest }) => digest)).toEqual([byHand])
  })
})

import { expect, test } from 'vitest'
import { edit, importFrom, openEmpty, peer, tableOf } from '../../support/peers/imports.ts'
import { onBoth } from '../../support/toolkit.ts'

type Toolkit = Awaited<ReturnType<typeof openEmpty>>
type Fields = Record<string, string | number | null>

const set = (toolkit: Toolkit, table: string, id: number, fields: Fields) =>
  toolkit.db.transaction(async (trx) => {
    await trx(table).where({ id }).update(fields)
  })
const read = (toolkit: Toolkit, table: string, id: number, ...columns: string[]) =>
  toolkit.db
    .reader(table)
    .where({ id })
    .first(...columns)
const DELETED = '2026-01-02T03:04:05.000Z'

onBoth('a repeated import', (_, database) => {
  test('keeps local changes if another column changes at the source', async () => {
    const toolkit = await openEmpty(database)
    const file = await peer()
    await importFrom(toolkit, file)
    await set(toolkit, 'users', 3, { status: 2 })
    await set(toolkit, 'users', 4, { password: '$argon2id$new' })
    await set(toolkit, 'users', 5, { deleted_at: DELETED })
    await set(toolkit, 'users', 6, { group: 'vip' })
    await set(toolkit, 'tokens', 3, { status: 2 })
    await set(toolkit, 'tokens', 4, { deleted_at: DELETED })
    await set(toolkit, 'redemptions', 2, { deleted_at: DELETED })
    await set(toolkit, 'redemptions', 4, { status: 2 })
    await set(toolkit, 'channels', 1, { status: 2, key: '' })
    await edit(
      file,
      `UPDATE users SET display_name = 'New', "group" = 'vip' WHERE id = 4;
       UPDATE users SET display_name = 'New' WHERE id IN (3, 5, 6);
       UPDATE tokens SET name = 'new' WHERE id IN (3, 4);
       UPDATE redemptions SET name = 'new' WHERE id IN (2, 4);
       UPDATE channels SET models = 'gpt-4o' WHERE id = 1`,
    )

    const report = await importFrom(toolkit, file, { sinceLast: true })

    expect(report.changed).toEqual([])
    expect(tableOf(report, 'users')).toMatchObject({ updated: 4 })
    expect(await read(toolkit, 'users', 3, 'status', 'display_name')).toEqual({ status: 2, display_name: 'New' })
    expect(await read(toolkit, 'users', 4, 'password', 'group')).toEqual({ password: '$argon2id$new', group: 'vip' })
    expect(await read(toolkit, 'users', 5, 'deleted_at')).toEqual({ deleted_at: DELETED })
    expect(await read(toolkit, 'users', 6, 'group', 'display_name')).toEqual({ group: 'vip', display_name: 'New' })
    expect(await read(toolkit, 'tokens', 3, 'status', 'name')).toEqual({ status: 2, name: 'new' })
    expect(await read(toolkit, 'tokens', 4, 'deleted_at')).toEqual({ deleted_at: DELETED })
    expect(await read(toolkit, 'redemptions', 2, 'deleted_at')).toEqual({ deleted_at: DELETED })
    expect(await read(toolkit, 'redemptions', 4, 'status')).toEqual({ status: 2 })
    expect(await read(toolkit, 'channels', 1, 'status', 'key', 'models')).toEqual({
      status: 2,
      key: '',
      models: 'gpt-4o',
    })
    expect(await toolkit.ledger.verify()).toMatchObject({ equal: true })
  })

  test('keeps and lists rows changed on both sides, in the dry run too, and once', async () => {
    const toolkit = await openEmpty(database)
    const file = await peer()
    await importFrom(toolkit, file)
    await set(toolkit, 'users', 3, { status: 2, password: 'mine' })
    await set(toolkit, 'users', 4, { group: 'vip' })
    await set(toolkit, 'tasks', 1, { status: 'FAILURE' })
    await edit(
      file,
      `UPDATE users SET status = 2, password = '' WHERE id = 3;
       UPDATE users SET "group" = 'gold' WHERE id IN (4, 5);
       UPDATE tasks SET progress = '99%' WHERE id = 1`,
    )
    const both = 'since it was changed on both sides: the value here is kept'
    const conflicts = [
      { table: 'users', id: 3, what: `password is not the same at the source and here, ${both}` },
      { table: 'users', id: 4, what: `group is "gold" at the source and "vip" here, ${both}` },
      { table: 'tasks', id: 1, what: 'it was changed at the source and here: the row here is kept' },
    ]

    const planned = await importFrom(toolkit, file, { dryRun: true })
    expect(planned.changed).toEqual(conflicts)
    expect(tableOf(planned, 'users')).toMatchObject({ updated: 1 })
    const done = await importFrom(toolkit, file)
    expect(done.changed).toEqual(conflicts)
    expect(tableOf(done, 'users')).toMatchObject({ updated: 1 })
    expect(await read(toolkit, 'users', 3, 'status', 'password')).toEqual({ status: 2, password: 'mine' })
    expect(await toolkit.db.reader('users').whereIn('id', [4, 5]).orderBy('id').pluck('group')).toEqual(['vip', 'gold'])
    expect(await read(toolkit, 'tasks', 1, 'status', 'progress')).toEqual({ status: 'FAILURE', progress: '100%' })

    expect((await importFrom(toolkit, file)).changed).toEqual([])
    await edit(file, 'UPDATE users SET status = 1 WHERE id = 3')
    expect((await importFrom(toolkit, file)).changed).toEqual([
      { table: 'users', id: 3, what: `status is 1 at the source and 2 here, ${both}` },
    ])
    expect(await read(toolkit, 'users', 3, 'status')).toEqual({ status: 2 })
  })

  test('imports source changes of rows without local changes: also channel keys, and re-enabled users', async () => {
    const toolkit = await openEmpty(database)
    const file = await peer()
    await importFrom(toolkit, file)
    const first = await read(toolkit, 'channels', 1, 'key')
    await edit(
      file,
      `UPDATE users SET status = 2 WHERE id = 3; UPDATE channels SET "key" = 'sk-other' WHERE id = 1;
       UPDATE tasks SET progress = '99%' WHERE id = 1`,
    )
    expect((await importFrom(toolkit, file)).changed).toEqual([])
    expect(await read(toolkit, 'users', 3, 'status')).toEqual({ status: 2 })
    expect((await read(toolkit, 'channels', 1, 'key')).key).not.toBe(first.key)
    expect(await read(toolkit, 'tasks', 1, 'progress')).toEqual({ progress: '99%' })
    await edit(file, 'UPDATE users SET status = 1 WHERE id = 3')
    await importFrom(toolkit, file)
    expect(await read(toolkit, 'users', 3, 'status')).toEqual({ status: 1 })
  })

  test('keeps names, roles, mail addresses and keys that changed at the source, and lists them once', async () => {
    const toolkit = await openEmpty(database)
    const file = await peer()
    await importFrom(toolkit, file)
    await edit(
      file,
      `UPDATE users SET role = 10, email = 'new@example.com' WHERE id = 4; UPDATE users SET username = 'other' WHERE id = 5;
       UPDATE users SET access_token = 'access-token-of-32-characters-00' WHERE id = 6;
       UPDATE tokens SET "key" = 'another' || substr("key", 8) WHERE id = 3`,
    )
    const listed = [
      { table: 'users', id: 4, what: 'its role was changed at the source: it is kept here' },
      { table: 'users', id: 4, what: 'its mail address was changed at the source: it is kept here' },
      { table: 'users', id: 5, what: 'its name was changed at the source: it is kept here' },
      { table: 'users', id: 6, what: 'its access token was changed at the source: only the old one works here' },
      { table: 'tokens', id: 3, what: 'its key was changed at the source: only the old one works here' },
    ]
    const before = await read(toolkit, 'tokens', 3, 'key_hash')
    expect((await importFrom(toolkit, file, { dryRun: true })).changed).toEqual(listed)
    expect((await importFrom(toolkit, file, { sinceLast: true })).changed).toEqual(listed)
    expect((await importFrom(toolkit, file, { sinceLast: true })).changed).toEqual([])
    expect(await read(toolkit, 'users', 4, 'role', 'email')).toEqual({ role: 1, email: '' })
    expect(await read(toolkit, 'users', 5, 'username')).toEqual({ username: 'user5' })
    expect(await read(toolkit, 'tokens', 3, 'key_hash')).toEqual(before)
  })

  test('keeps users and channels that were deleted at the source, and lists those that are enabled, once', async () => {
    const toolkit = await openEmpty(database)
    const file = await peer()
    await importFrom(toolkit, file)
    await set(toolkit, 'users', 6, { status: 2 })
    await set(toolkit, 'users', 7, { deleted_at: DELETED })
    await edit(file, 'DELETE FROM users WHERE id IN (5, 6, 7); DELETE FROM channels WHERE id = 2')
    const what = 'it was deleted at the source: it stays enabled here'
    const listed = [
      { table: 'users', id: 5, what },
      { table: 'channels', id: 2, what },
    ]
    expect((await importFrom(toolkit, file, { dryRun: true })).changed).toEqual(listed)
    const { id } = await importFrom(toolkit, file, { sinceLast: true })
    expect((await importFrom(toolkit, file, { sinceLast: true })).changed).toEqual([])
    expect(await read(toolkit, 'users', 5, 'status')).toEqual({ status: 1 })
    expect(await read(toolkit, 'channels', 2, 'status')).toEqual({ status: 1 })
    expect(id).toBeGreaterThan(0)
  })

  test('disables a key deleted at the source once: enabled again locally, it stays enabled', async () => {
    const toolkit = await openEmpty(database)
    const file = await peer()
    await importFrom(toolkit, file)
    await edit(file, 'DELETE FROM tokens WHERE id IN (3, 4)')
    const { id, changed } = await importFrom(toolkit, file)
    expect(changed).toEqual([{ table: 'tokens', id: 0, what: '2 keys were deleted at the source since: disabled' }])
    await set(toolkit, 'tokens', 3, { status: 1 })
    const next = await importFrom(toolkit, file)
    expect(next.changed).toEqual([])
    expect(await toolkit.db.reader('tokens').whereIn('id', [3, 4]).orderBy('id').pluck('status')).toEqual([1, 2])
    expect(id).toBeGreaterThan(0)
  })

  test('overwrites nothing in rows whose earlier import recorded no columns, and records them', async () => {
    const toolkit = await openEmpty(database)
    const file = await peer()
    await importFrom(toolkit, file)
    await toolkit.db.transaction((trx) => trx('import_rows').update({ column_states: null }))
    await set(toolkit, 'users', 3, { status: 2 })
    await edit(file, `UPDATE users SET display_name = 'New' WHERE id = 3`)
    const unknown = 'and it is not known which side changed it: the value here is kept'
    expect((await importFrom(toolkit, file)).changed).toEqual([
      { table: 'users', id: 3, what: `display_name is "New" at the source and "User 3" here, ${unknown}` },
      { table: 'users', id: 3, what: `status is 1 at the source and 2 here, ${unknown}` },
    ])
    expect(await read(toolkit, 'users', 3, 'status', 'display_name')).toEqual({ status: 2, display_name: 'User 3' })
    // The other rows were unchanged at the source, so that their values are noted now.
    await edit(file, `UPDATE users SET display_name = 'New' WHERE id = 4`)
    expect((await importFrom(toolkit, file)).changed).toEqual([])
    expect(await read(toolkit, 'users', 4, 'display_name')).toEqual({ display_name: 'New' })
  })
})

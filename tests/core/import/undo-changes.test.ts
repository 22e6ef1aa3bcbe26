import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { openSource } from '../../../core/import/sources/open.ts'
import { openSecrets } from '../../../core/master-key.ts'
import { ACTOR, edit, importFrom, openEmpty, peer, tableOf } from '../../support/peers/imports.ts'
import { onBoth } from '../../support/toolkit.ts'

type Toolkit = Awaited<ReturnType<typeof openEmpty>>

const set = (toolkit: Toolkit, table: string, id: number, fields: Record<string, string | number | null>) =>
  toolkit.db.transaction(async (trx) => {
    await trx(table).where({ id }).update(fields)
  })
const read = (toolkit: Toolkit, table: string, id: number, ...columns: string[]) =>
  toolkit.db
    .reader(table)
    .where({ id })
    .first(...columns)

/** Runs an import that is interrupted when it has written the tables before `table`. */
async function interruptAt(toolkit: Toolkit, file: string, table: string): Promise<void> {
  const stop = new AbortController()
  const onProgress = (progress: { table: string }) => {
    if (progress.table === table) stop.abort()
  }
  // The step of this table still runs, since it is announced after the check.
  await expect(importFrom(toolkit, file, { signal: stop.signal, onProgress })).rejects.toThrow('abort')
}

onBoth('an undo of a repeated import', (open, database) => {
  test('restores what the import wrote, and keeps and lists what was changed here since', async () => {
    const toolkit = await openEmpty(database)
    const secrets = await openSecrets(toolkit.db, { secret: 'a secret of this test', dataFolder: '' })
    const file = await peer()
    await importFrom(toolkit, file)
    const before = {
      user: await read(toolkit, 'users', 3, 'display_name', 'group', 'password'),
      key: await read(toolkit, 'channels', 1, 'key'),
      token: await read(toolkit, 'tokens', 3, 'name', 'status'),
      task: await read(toolkit, 'tasks', 2, 'progress'),
    }
    await edit(
      file,
      `UPDATE users SET display_name = 'New', "group" = 'vip', password = 'theirs' WHERE id IN (3, 4);
       UPDATE users SET "group" = 'vip' WHERE id = 5;
       UPDATE channels SET "key" = 'sk-other' WHERE id IN (1, 2);
       UPDATE tokens SET name = 'new' WHERE id IN (3, 4); DELETE FROM tokens WHERE id IN (5, 6);
       UPDATE tasks SET progress = '99%' WHERE id IN (1, 2)`,
    )
    const { id } = await importFrom(toolkit, file)
    await set(toolkit, 'users', 4, { group: 'mine', password: 'ours' })
    // The value of before the import again: nothing to restore.
    await set(toolkit, 'users', 5, { group: before.user.group })
    await set(toolkit, 'channels', 2, { key: secrets.seal('sk-mine') })
    await set(toolkit, 'tokens', 4, { name: 'mine' })
    await set(toolkit, 'tokens', 6, { status: 1 })
    await set(toolkit, 'tasks', 1, { status: 'FAILURE' })

    const { kept } = await toolkit.imports.undo(ACTOR, id)

    const since = 'since it was changed after the import: it is kept'
    expect(kept).toEqual([
      { table: 'users', id: 4, what: `password was changed here after the import: it is kept` },
      { table: 'users', id: 4, what: `group is "mine" here, ${since}` },
      { table: 'channels', id: 2, what: `key was changed here after the import: it is kept` },
      { table: 'tokens', id: 4, what: `name is "mine" here, ${since}` },
      { table: 'tasks', id: 1, what: 'it was changed here since the import: it is kept' },
    ])
    expect(await read(toolkit, 'users', 3, 'display_name', 'group', 'password')).toEqual(before.user)
    expect(await read(toolkit, 'users', 4, 'display_name', 'group', 'password')).toEqual({
      ...{ display_name: 'User 4', group: 'mine', password: 'ours' },
    })
    expect(await read(toolkit, 'channels', 1, 'key')).toEqual(before.key)
    expect(secrets.open((await read(toolkit, 'channels', 2, 'key')).key)).toBe('sk-mine')
    expect(await read(toolkit, 'tokens', 3, 'name', 'status')).toEqual(before.token)
    expect(await read(toolkit, 'tokens', 4, 'name')).toEqual({ name: 'mine' })
    expect(await toolkit.db.reader('tokens').whereIn('id', [5, 6]).pluck('status')).toEqual([1, 1])
    expect(await read(toolkit, 'tasks', 1, 'status', 'progress')).toEqual({ status: 'FAILURE', progress: '99%' })
    expect(await read(toolkit, 'tasks', 2, 'progress')).toEqual(before.task)

    // The next import compares with the states of before the undone one.
    const { changed } = await importFrom(toolkit, file)
    expect(changed).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ table: 'users', id: 4, what: expect.stringContaining('"vip" at the source') }),
      ]),
    )
    expect(await read(toolkit, 'users', 3, 'display_name')).toEqual({ display_name: 'New' })
    expect(await toolkit.ledger.verify()).toMatchObject({ equal: true })
  })

  test('rebuilds the abilities of channels that it restores', async () => {
    const toolkit = await openEmpty(database)
    const file = await peer()
    await importFrom(toolkit, file)
    const abilities = () =>
      toolkit.db.reader('abilities').where({ channel_id: 1 }).orderBy(['group', 'model']).select('group', 'model')
    const before = await abilities()
    await edit(file, `UPDATE channels SET models = 'only-this' WHERE id = 1`)
    const { id } = await importFrom(toolkit, file)
    expect(await abilities()).not.toEqual(before)
    await toolkit.imports.undo(ACTOR, id)
    expect(await abilities()).toEqual(before)
  })

  test('is refused while its keys, of users of an earlier import, have charges', async () => {
    const toolkit = await openEmpty(database)
    const file = await peer()
    const first = await importFrom(toolkit, file, { logs: 'none' })
    await edit(
      file,
      `INSERT INTO tokens SELECT 900, user_id, 'a' || substr("key", 2), status, name, created_time,
      accessed_time, expired_time, remain_quota, unlimited_quota, model_limits_enabled, model_limits, allow_ips,
      used_quota, "group", deleted_at FROM tokens WHERE id = 3`,
    )
    const second = await importFrom(toolkit, file, { logs: 'none' })
    const token = await toolkit.db.reader('tokens').where({ id: 900 }).first('id', 'user_id')
    await toolkit.db.transaction((trx) =>
      trx('logs').insert({ user_id: token.user_id, token_id: token.id, type: 2, created_at: 1, request_id: 'r1' }),
    )
    await expect(toolkit.imports.undo(ACTOR, second.id)).rejects.toMatchObject({
      ...{ code: 'IMPORT_DEPENDED_ON', params: { reason: 'charges of its keys are in the log (1)' } },
    })
    expect(first.id).not.toBe(second.id)
  })

  test('is refused if a charge of its users is committed while it begins', async () => {
    const { toolkit } = await open()
    const { id } = await importFrom(toolkit, await peer(), { logs: 'none' })
    let charging: Promise<void> | undefined
    await new Promise<void>((locked) => {
      charging = toolkit.db.transaction(async (trx) => {
        await trx('users').where({ id: 5 }).forUpdate().first('id')
        locked()
        await sleep(500)
        await trx('logs').insert({ user_id: 5, type: 2, created_at: 1, request_id: 'r1' })
      })
    })
    await expect(toolkit.imports.undo(ACTOR, id)).rejects.toMatchObject({
      ...{ code: 'IMPORT_DEPENDED_ON', params: { reason: 'charges of its users are in the log (1)' } },
    })
    await charging
  })

  test('works for an interrupted import that went on after the source had changed', async () => {
    const { toolkit } = await open()
    const file = await peer()
    await interruptAt(toolkit, file, 'tokens')
    await edit(file, `UPDATE users SET quota = quota + 5, "group" = 'vip' WHERE id IN (3, 4)`)
    const { id } = await importFrom(toolkit, file)
    expect(await toolkit.imports.undo(ACTOR, id)).toMatchObject({ deleted: { users: 20 }, kept: [] })
    expect(await toolkit.ledger.verify()).toMatchObject({ equal: true, users: 1 })
  })
})

onBoth('an import', (open, database) => {
  test('that is undone while it runs writes nothing more', async () => {
    const { toolkit } = await open()
    const source = await openSource(await peer())
    let isUndone = false
    const query: typeof source.query = async (sql, ...rest) => {
      if (!isUndone && /FROM .?logs.? .*ORDER BY/is.test(sql)) {
        isUndone = true
        await toolkit.imports.undo(ACTOR, 1)
      }
      return source.query(sql, ...rest)
    }
    const running = toolkit.imports.run(ACTOR, { product: 'new-api', source: { ...source, query }, logs: 'all' })
    await expect(running).rejects.toMatchObject({ code: 'IMPORT_UNDONE' })
    await source.close()
    expect(isUndone).toBe(true)
    expect(await toolkit.db.reader('logs').whereNull('request_id').where({ type: 2 })).toEqual([])
    expect(await toolkit.imports.list(ACTOR)).toMatchObject([{ status: 'undone' }])
  })

  test('that has read the source before another one does not bring back what has changed since', async () => {
    const { toolkit } = await open()
    const file = await peer()
    await importFrom(toolkit, file)
    const source = await openSource(file)
    const snapshot: typeof source.snapshot = async (work) => {
      const contents = await source.snapshot(work)
      await edit(
        file,
        `UPDATE users SET "group" = 'vip', quota = quota + 7 WHERE id = 4;
         INSERT INTO tokens (id, user_id, "key", status, name) VALUES (900, 4, 'another-key-of-the-source', 1, 'new')`,
      )
      await importFrom(toolkit, file)
      return contents
    }
    const user = await read(toolkit, 'users', 4, 'quota')
    const report = await toolkit.imports.run(ACTOR, {
      product: 'new-api',
      source: { ...source, snapshot },
      logs: 'all',
    })
    await source.close()
    expect(report.warnings).toContainEqual(expect.stringContaining('another import has read this source later'))
    expect(await read(toolkit, 'users', 4, 'group', 'quota')).toEqual({ group: 'vip', quota: user.quota + 7 })
    expect(await toolkit.db.reader('tokens').where({ name: 'new' }).pluck('status')).toEqual([1])
    expect((await importFrom(toolkit, file)).warnings).not.toContainEqual(expect.stringContaining('another import'))
  })

  test('that was interrupted leaves log rows that came meanwhile to the next one with --since-last', async () => {
    const { toolkit } = await open()
    const file = await peer()
    await interruptAt(toolkit, file, 'logs')
    const logs = async () =>
      Number((await toolkit.db.reader('logs').whereNull('request_id').count({ n: '*' }).first())?.n)
    const before = await logs()
    await edit(file, 'INSERT INTO logs (user_id, created_at, type, quota) VALUES (4, 1700000000, 2, 5)')
    await importFrom(toolkit, file)
    expect(await logs()).toBeGreaterThan(before)
    const whole = await logs()
    await importFrom(toolkit, file, { sinceLast: true })
    expect(await logs()).toBe(whole + 1)
  })

  test('enables a key again that was deleted at the source for a time', async () => {
    const toolkit = await openEmpty(database)
    const file = await peer()
    await importFrom(toolkit, file)
    await edit(
      file,
      'CREATE TABLE away AS SELECT * FROM tokens WHERE id IN (3, 4); DELETE FROM tokens WHERE id IN (3, 4)',
    )
    await importFrom(toolkit, file)
    const statuses = () => toolkit.db.reader('tokens').whereIn('id', [3, 4, 5]).orderBy('id').pluck('status')
    expect(await statuses()).toEqual([2, 2, 1])
    await edit(file, 'INSERT INTO tokens SELECT * FROM away; DROP TABLE away')
    const report = await importFrom(toolkit, file)
    expect(await statuses()).toEqual([1, 1, 1])
    expect(tableOf(report, 'tokens')).toMatchObject({ updated: 2 })
    expect(await toolkit.ledger.verify()).toMatchObject({ equal: true })
  })
})

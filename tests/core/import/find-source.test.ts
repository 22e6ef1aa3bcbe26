import { copyFile, rm } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { ACTOR, edit, importFrom, openEmpty, peer, tableOf } from '../../support/peers/imports.ts'
import { onBoth } from '../../support/toolkit.ts'

const SIZE = { users: 5, tokens: 6, channels: 1, logs: 10 }
/** Another site: the same ids, other people and keys. */
const OTHERS = `UPDATE users SET username = 'guest' || id, password = '', aff_code = 'b' || id, email = '', quota = 7 WHERE id > 1;
  UPDATE users SET display_name = 'Another root' WHERE id = 1;
  UPDATE tokens SET "key" = 'guestkey' || id; UPDATE redemptions SET "key" = 'guestcode' || id;
  UPDATE top_ups SET trade_no = 'guest-' || id`

onBoth('the source of an import', (_, database) => {
  test('is a new one if another database has a known address', async () => {
    const toolkit = await openEmpty(database)
    const file = await peer(SIZE)
    await importFrom(toolkit, file)
    const people = () => toolkit.db.reader('users').where('id', '<=', 5).orderBy('id').select('username', 'quota')
    const before = await people()
    await rm(file)
    await copyFile(await peer(SIZE, OTHERS), file)

    await expect(importFrom(toolkit, file, { sinceLast: true })).rejects.toMatchObject({
      code: 'IMPORT_SOURCE_REPLACED',
    })
    expect(tableOf(await importFrom(toolkit, file, { dryRun: true }), 'users')).toMatchObject({ imported: 5, known: 0 })
    const report = await importFrom(toolkit, file)

    expect(report.warnings).toContain(`${file} was imported with other contents before: this is a new source`)
    expect(tableOf(report, 'users')).toMatchObject({ imported: 5, known: 0 })
    expect(tableOf(report, 'tokens')).toMatchObject({ imported: 6, known: 0 })
    expect(await people()).toEqual(before)
    expect((await toolkit.db.reader('users').where({ username: 'guest2' }).first('quota')).quota).toBe(7)
    expect(await toolkit.ledger.verify()).toMatchObject({ equal: true, users: 10 })

    const again = await importFrom(toolkit, file, { sinceLast: true })
    expect(again.warnings.join()).not.toContain('new source')
    expect(tableOf(again, 'users')).toMatchObject({ imported: 0, known: 5 })
  })

  test('at another address is the known one only if more than one key matches', async () => {
    const toolkit = await openEmpty(database)
    await importFrom(toolkit, await peer(SIZE))
    const shared = await peer(
      SIZE,
      `${OTHERS}; UPDATE tokens SET "key" = 'peer' || substr('${'0'.repeat(44)}3', -44) WHERE id = 3`,
    )

    const report = await importFrom(toolkit, shared)

    expect(tableOf(report, 'users')).toMatchObject({ imported: 5, known: 0 })
    expect(tableOf(report, 'tokens')).toMatchObject({ imported: 5, skipped: 1 })
    expect(report.skipped).toEqual([{ table: 'tokens', id: 3, what: 'another token has its key' }])
    expect(await toolkit.ledger.verify()).toMatchObject({ equal: true, users: 10 })
  })

  test('stays the known one if some of its users and keys changed, and if only root is left', async () => {
    const toolkit = await openEmpty(database)
    const file = await peer(SIZE)
    await importFrom(toolkit, file)
    await edit(file, `UPDATE users SET username = 'renamed' WHERE id = 2; DELETE FROM tokens WHERE id < 6`)
    const report = await importFrom(toolkit, file, { sinceLast: true })
    expect(tableOf(report, 'users')).toMatchObject({ imported: 0, known: 5 })
    await edit(file, `DELETE FROM users WHERE id > 1; DELETE FROM tokens; UPDATE users SET password = ''`)
    await importFrom(toolkit, file, { sinceLast: true })
    expect(await toolkit.db.reader('tokens').where({ status: 1 })).toEqual([])
    expect(await toolkit.imports.list(ACTOR)).toHaveLength(3)
  })
})

import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { ImportRequest } from '../../../core/import/imports.ts'
import { openSource } from '../../../core/import/sources/open.ts'
import { whenDone } from '../../support/lifetime.ts'
import { ACTOR, edit, importFrom, openEmpty, peer, tableOf } from '../../support/peers/imports.ts'
import { onBoth, testFolder } from '../../support/toolkit.ts'

onBoth('an import of new-api', (open, database) => {
  test('options keep their own rules, with secrets encrypted, and existing values', async () => {
    const { toolkit, root } = await open()
    await toolkit.options.set(root, 'SystemName', 'Mine')
    const report = await importFrom(toolkit, await peer())

    const outcome = Object.fromEntries(report.options.map(({ key, outcome }) => [key, outcome]))
    expect(outcome).toEqual({
      SystemName: 'kept',
      GroupRatio: 'imported',
      ModelRatio: 'imported',
      QuotaForNewUser: 'imported',
      GitHubClientSecret: 'imported',
      Theme: 'without effect',
      ModelOfTheHouse: 'unknown',
      Price: 'invalid',
    })
    expect(toolkit.options.read(root, 'SystemName')).toBe('Mine')
    expect(toolkit.options.read(root, 'QuotaForNewUser')).toBe('1000')
    expect(toolkit.options.filledSecrets(root)).toContain('GitHubClientSecret')
    expect(await toolkit.db.reader('options').where({ key: 'GitHubClientSecret' }).pluck('value')).toEqual([
      expect.stringMatching(/^v1:/),
    ])
    expect(report.prices).toContainEqual({
      model: 'house-model',
      source: 'ratio 1.25, completion 4',
      target: 'ratio 3, completion 1',
    })
    expect(report.prices.map(({ model }) => model)).not.toContain('gpt-4o')
  })

  test('--logs none imports none, a time imports those since, and all imports the rest later', async () => {
    const toolkit = await openEmpty(database)
    const file = await peer({ logs: 100 })
    const logIds = () => toolkit.db.reader('logs').orderBy('id').pluck('id')

    expect(tableOf(await importFrom(toolkit, file, { logs: 'none' }), 'logs')).toMatchObject({ rows: 100, imported: 0 })
    expect(await logIds()).toEqual([])
    await importFrom(toolkit, file, { logs: 1_700_000_000 + 91 * 10 })
    expect(await logIds()).toHaveLength(10)
    await importFrom(toolkit, file, { logs: 'all' })
    expect(await logIds()).toHaveLength(100)
    await importFrom(toolkit, file, { logs: 'all' })
    expect(await logIds()).toHaveLength(100)
    expect(await toolkit.ledger.verify()).toMatchObject({ equal: true })
  })

  test('a dry run reports the same and changes nothing', async () => {
    const { toolkit } = await open()
    const file = await peer()
    const rows = async () =>
      Promise.all(
        ['users', 'tokens', 'imports', 'import_sources', 'options', 'logs'].map((table) =>
          toolkit.db.reader(table).count({ n: '*' }).first(),
        ),
      )
    const before = await rows()

    const planned = await importFrom(toolkit, file, { dryRun: true })
    expect(await rows()).toEqual(before)
    const done = await importFrom(toolkit, file)

    const summaryOf = ({ tables, skipped, changed, remapped, options, prices }: typeof done) => ({
      tables: tables.map(({ table, rows, imported, skipped }) => ({ table, rows, imported, skipped })),
      ...{ skipped, changed, remapped, options, prices },
    })
    expect(summaryOf(planned)).toEqual(summaryOf(done))
  })

  test('undo removes all of it, and the same source can be imported again', async () => {
    const fixture = await open()
    const { toolkit } = fixture
    const file = await peer()
    const tables = [
      'users',
      'tokens',
      'channels',
      'abilities',
      'redemptions',
      'top_ups',
      'logs',
      'quota_data',
      'model_hours',
      'options',
      'tasks',
      'midjourneys',
      'import_rows',
      'carried_sums',
    ]
    const counts = () => Promise.all(tables.map((table) => toolkit.db.reader(table).count({ n: '*' }).first()))
    const before = await counts()

    const { id } = await importFrom(toolkit, file)
    const { deleted: gone, keptOptions } = await toolkit.imports.undo(ACTOR, id)

    expect(gone).toMatchObject({ users: 20, tokens: 40, logs: 200, options: 5 })
    expect(keptOptions).toEqual([])
    expect(await counts()).toEqual(before)
    expect(await toolkit.ledger.verify()).toMatchObject({ equal: true })
    await expect(toolkit.imports.undo(ACTOR, id)).rejects.toMatchObject({ code: 'IMPORT_UNDONE' })
    await expect(toolkit.imports.undo(ACTOR, 99)).rejects.toMatchObject({ code: 'IMPORT_NOT_FOUND' })

    await importFrom(toolkit, file)
    expect(await toolkit.ledger.verify()).toMatchObject({ equal: true, users: 21 })
  })

  test('undo is rejected with the reason while other rows depend on the import', async () => {
    const fixture = await open()
    const { toolkit } = fixture
    const file = await peer()
    const first = await importFrom(toolkit, file)
    await edit(
      file,
      `UPDATE users SET quota = quota + 5 WHERE id = 4; UPDATE tokens SET name = 'new name' WHERE id = 7`,
    )
    const second = await importFrom(toolkit, file)
    const undo = (id: number) => toolkit.imports.undo(ACTOR, id).catch((error) => error.params?.reason)

    expect(await undo(first.id)).toContain(`import ${second.id} of the same source`)
    const names = () => toolkit.db.reader('tokens').whereIn('name', ['new name', 'key 7']).pluck('name')
    expect(await names()).toEqual(['new name'])
    await toolkit.imports.undo(ACTOR, second.id)
    expect(await names()).toEqual(['key 7'])
    expect(await toolkit.ledger.verify()).toMatchObject({ equal: true })

    const [user] = await toolkit.db.reader('users').where({ username: 'user5' }).select('id', 'username', 'role')
    const team = await toolkit.teams.create(user, { name: 'lab' })
    expect(await undo(first.id)).toBe('its users are in teams (1)')
    await toolkit.teams.delete(user, team.id)
    await fixture.charge(user, { quota: 10 })
    expect(await undo(first.id)).toMatch(/charges of its users are in the log \(1\)|balances|relays/)
    expect(await toolkit.ledger.verify()).toMatchObject({ equal: true })
  })

  test('two concurrent imports of one source import each row once', async () => {
    const fixture = await open()
    const file = await peer({ users: 50, tokens: 60, logs: 300 })
    const other = await fixture.another()
    const count = async (table: string) => Number((await fixture.toolkit.db.reader(table).count({ n: '*' }).first())?.n)
    const logsBefore = await count('logs')

    await Promise.all([importFrom(fixture.toolkit, file), importFrom(other, file)])

    expect([await count('users'), await count('tokens'), (await count('logs')) - logsBefore]).toEqual([51, 60, 300])
    expect(await fixture.toolkit.ledger.verify()).toMatchObject({ equal: true })
  })

  test('only root may import, list and undo', async () => {
    const { toolkit, user } = await open()
    const admin = await user({ role: 10 })
    const source = await openSource(await peer())
    whenDone(() => source.close())
    const refused = { code: 'PERMISSION_DENIED' }
    await expect(toolkit.imports.run(admin, { product: 'new-api', source, logs: 'all' })).rejects.toMatchObject(refused)
    await expect(toolkit.imports.list(admin)).rejects.toMatchObject(refused)
    await expect(toolkit.imports.undo(admin, 1)).rejects.toMatchObject(refused)
  })
})

onBoth('a source that is not what it should be', (open) => {
  test('is rejected by name, with the right command', async () => {
    const { toolkit, config } = await open()
    const newApi = await peer()
    const run = (file: string, product: ImportRequest['product'] = 'new-api') =>
      importFrom(toolkit, file, { product }).catch((error) => ({ code: error.code, ...error.params }))

    expect(await run(newApi, 'one-api')).toMatchObject({
      code: 'IMPORT_SOURCE_WRONG',
      actual: 'new-api',
      command: expect.stringContaining('tollgate import new-api'),
    })
    const other = join(await testFolder(), 'other.db')
    await edit(other, 'CREATE TABLE notes (id integer)')
    expect(await run(other)).toMatchObject({ code: 'IMPORT_SOURCE_UNKNOWN', tables: 'users, tokens, channels' })
    if (config.databaseUrl.startsWith('sqlite:')) {
      expect(await run(config.databaseUrl.slice('sqlite:'.length))).toMatchObject({ actual: 'Tollgate' })
    }
    expect(await importFrom(toolkit, newApi, { sinceLast: true }).catch(({ code }) => code)).toBe('IMPORT_FIRST')
    expect(await toolkit.imports.list(ACTOR)).toEqual([])
  })
})

import { join } from 'node:path'
import { expect, test } from 'vitest'
import { skeletonOf } from '../../core/accounts/lookalikes.ts'
import { pendingMigrations } from '../../core/db/migrate.ts'
import { MIGRATIONS } from '../../core/db/migrations/list.ts'
import { openDatabase } from '../../core/db/open.ts'
import type { GatewayError } from '../../core/errors.ts'
import { errorText } from '../../core/messages/messages.ts'
import { OPTIONS } from '../../core/options/registry.ts'
import { openToolkit } from '../../core/toolkit.ts'
import { digests } from '../support/files.ts'
import { createPostgresDatabase } from '../support/postgres.ts'
import { onBoth, openTestToolkit, skipWithoutPostgres, testFolder } from '../support/toolkit.ts'

const NAMES = MIGRATIONS.map(({ name }) => name)

onBoth('migrations', (open, database) => {
  async function newDatabase() {
    const dataFolder = await testFolder()
    const databaseUrl = database === 'sqlite' ? `sqlite:${join(dataFolder, 'new.db')}` : await createPostgresDatabase()
    return { databaseUrl, dataFolder, secret: 'a secret of this test' }
  }

  test('are applied to a new database, and a second start has nothing to do', async () => {
    const config = await newDatabase()
    const db = await openDatabase(config.databaseUrl)
    expect(await pendingMigrations(db.reader)).toEqual(NAMES)
    await db.close()

    for (let start = 1; start <= 2; start++) {
      const toolkit = await openToolkit(config)
      expect(await pendingMigrations(toolkit.db.reader)).toEqual([])
      expect(await toolkit.db.reader('migrations').orderBy('id').pluck('name')).toEqual(NAMES)
      await toolkit.close()
    }
  })

  test('are applied once by two processes starting together', async () => {
    const config = await newDatabase()

    const toolkits = await Promise.all([openToolkit(config), openToolkit(config)])

    expect(await toolkits[0].db.reader('migrations').pluck('name')).toEqual(NAMES)
    for (const toolkit of toolkits) {
      expect(await toolkit.accounts.findRoot()).toBeUndefined()
      await toolkit.close()
    }
  })

  test('are applied to a database of an earlier version, and keep its rows', async () => {
    const config = await newDatabase()
    const db = await openDatabase(config.databaseUrl)
    const names = Array.from({ length: 1200 }, (_, at) => `Person ${at}`)
    await db.transaction(async (trx) => {
      await trx.schema.createTable('migrations', (table) => {
        table.increments('id')
        table.string('name').notNullable().unique()
        table.bigInteger('applied_at').notNullable()
      })
      for (const { name, up } of MIGRATIONS.slice(0, NAMES.indexOf('0012-log-clears') + 1)) {
        await up(trx, { sign: (text) => text })
        await trx('migrations').insert({ name, applied_at: 1 })
      }
      // The last two look the same.
      for (const [at, username] of [...names, 'boss', 'b\u043ess'].entries()) {
        await trx('users').insert({ username, role: 1, aff_code: `c${at}` })
      }
      await trx('options').insert({ key: 'SystemName', value: 'Before' })
    })
    await db.close()

    const toolkit = await openToolkit(config)
    const users = await toolkit.db.reader('users').orderBy('id').select('username', 'name_skeleton')
    expect(users.map(({ username }) => username)).toEqual([...names, 'boss', 'b\u043ess'])
    expect(users.map(({ username, name_skeleton }) => [username, name_skeleton])).toEqual(
      users.map(({ username }) => [username, skeletonOf(username)]),
    )
    expect(users.at(-1)?.name_skeleton).toBe(users.at(-2)?.name_skeleton)
    expect(toolkit.options.get(OPTIONS.SystemName)).toBe('Before')
    expect(await toolkit.ledger.verify()).toMatchObject({ equal: true })
    for (const table of [
      'audit',
      'guesses',
      'invite_sources',
      'stored_objects',
      'stored_responses',
      'kept_thoughts',
      'realtime_keys',
      'batches',
      'upstream_files',
    ]) {
      expect(await toolkit.db.reader(table).select('*')).toEqual([])
    }
    await toolkit.close()
  })

  test('of a newer version are rejected and leave every byte of the folder unchanged', async () => {
    const { toolkit, config, close } = await open()
    await toolkit.db.transaction((trx) => trx('migrations').insert({ name: '9999-from-the-future', applied_at: 1 }))
    await close()
    const before = await digests(config.dataFolder)

    await expect(openToolkit(config)).rejects.toMatchObject({
      code: 'DATABASE_NEWER',
      params: { migration: '9999-from-the-future' },
    })

    expect(await digests(config.dataFolder)).toEqual(before)
  })
})

test('PostgreSQL has 64-bit ids in every table that grows with use', async (context) => {
  await skipWithoutPostgres(context)
  const { toolkit } = await openTestToolkit({ database: 'postgres' })

  const narrow = await toolkit.db
    .reader('information_schema.columns')
    .whereRaw('table_schema = current_schema()')
    .where({ column_name: 'id', data_type: 'integer' })
    .orderBy('table_name')
    .pluck('table_name')

  expect(narrow).toEqual(['channels', 'migrations', 'tokens', 'users'])
})

test('a missing database of a PostgreSQL server is reported with the command that creates it', async (context) => {
  await skipWithoutPostgres(context)
  const url = new URL(await createPostgresDatabase())
  url.pathname = '/tollgate_missing'
  const opened = openToolkit({ dataFolder: await testFolder(), secret: 'a secret of this test', databaseUrl: url.href })
  const error: GatewayError = await opened.then(
    () => expect.unreachable(),
    (reason) => reason,
  )
  expect(error).toMatchObject({ code: 'DATABASE_UNREACHABLE' })
  for (const language of ['en', 'zh'] as const) expect(errorText(error, language)).toMatch(/createdb.*DATABASE_URL$/)
})

test('a missing database, or an impossible folder, is reported', async () => {
  const folder = await testFolder()
  const config = { dataFolder: folder, secret: 'a secret of this test' }

  const unreachable = openToolkit({ ...config, databaseUrl: 'postgres://user:hunter2@127.0.0.1:1/none' })
  await expect(unreachable).rejects.toMatchObject({ code: 'DATABASE_UNREACHABLE' })
  await expect(unreachable).rejects.not.toThrow('hunter2')
  const nowhere = openToolkit({ ...config, databaseUrl: 'sqlite:/dev/null/tollgate.db' })
  await expect(nowhere).rejects.toMatchObject({ code: 'DATA_FOLDER_UNWRITABLE' })
})

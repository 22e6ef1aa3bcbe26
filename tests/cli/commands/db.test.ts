import { chmodSync, existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { countChangesOfCopy, installTriggers } from '../../../core/db/copy/changes.ts'
import { readTables } from '../../../core/db/copy/tables.ts'
import { findSequencesBehind } from '../../../core/db/sequences.ts'
import { openToolkit } from '../../../core/toolkit.ts'
import { shared } from '../../support/lifetime.ts'
import { createPostgresDatabase } from '../../support/postgres.ts'
import { openTestToolkit, skipWithoutPostgres } from '../../support/toolkit.ts'
import { openBacking } from '../backings.ts'
import { commandsIn, createFolder, createWorld, environmentIn, relayed } from '../support.ts'
import { typing } from '../typing.ts'

/** A database with its key in a file beside it, and commands for it. */
async function openWorld() {
  const opened = await openTestToolkit()
  const folder = await createFolder()
  const env = { ...environmentIn(folder), DATABASE_URL: opened.config.databaseUrl }
  return { ...opened, folder, env, ...commandsIn({ env, folder }) }
}

describe('db, on SQLite', () => {
  const world = shared(openWorld)

  test('status shows migrations, sizes and rows', async () => {
    const status = await world().json('db', 'status')
    expect(status).toMatchObject({ kind: 'sqlite', pending: [], rows: { users: 1 } })
    expect(status.applied[0]).toMatchObject({ name: '0001-initial' })
    expect(status.bytes).toBeGreaterThan(4096)
    expect((await world().run(['db', 'status'])).stdout).toMatch(/^migrations pending +-$/m)
  })

  test('backup copies one snapshot during writes, readable by its owner only, and never overwrites a file', async () => {
    const { toolkit, root, folder, run } = world()
    let writing = true
    const writer = (async () => {
      while (writing) await relayed(toolkit, { id: root.id, username: 'root' }, 10)
    })()
    const outcome = await run(['db', 'backup', 'copy.db', '--with-key'])
    writing = false
    await writer
    expect(outcome).toMatchObject({
      exitCode: 0,
      stdout: '',
      stderr: expect.stringMatching(/Wrote .* to copy\.db, \d+/),
    })
    for (const file of ['copy.db', 'copy.db.secret']) expect(statSync(join(folder, file)).mode & 0o777).toBe(0o600)

    const before = readFileSync(join(folder, 'copy.db'))
    expect((await run(['db', 'backup', 'copy.db'])).exitCode).toBe(5)
    expect(readFileSync(join(folder, 'copy.db')).equals(before)).toBe(true)

    const secret = readFileSync(join(folder, 'copy.db.secret'), 'utf8').trim()
    const copy = ['--database', `sqlite:${join(folder, 'copy.db')}`]
    const env = { ...world().env, TOLLGATE_SECRET: secret }
    expect((await run(['db', 'check', ...copy], { env })).exitCode).toBe(0)
    const verified = await run(['ledger', 'verify', '--json', ...copy], { env })
    expect(JSON.parse(verified.stdout)).toMatchObject({ equal: true })
  })

  test('a failed backup leaves no file, and a backup without the key prints a reminder', async () => {
    const { folder, run } = world()
    const before = readdirSync(folder)
    expect((await run(['db', 'backup', 'nowhere/copy.db'])).exitCode).toBe(1)
    writeFileSync(join(folder, 'taken.db.secret'), '')
    expect((await run(['db', 'backup', 'taken.db', '--with-key'])).exitCode).toBe(5)
    expect(readdirSync(folder).sort()).toEqual([...before, 'taken.db.secret'].sort())
    expect((await run(['db', 'backup', 'reminding.db'])).stderr).toContain('--with-key')
  })

  test('check reports dangling references and ledger differences, with exit code 1', async () => {
    expect(await world().run(['db', 'check'])).toMatchObject({ exitCode: 0 })
    const { db } = world().toolkit
    await db.transaction(async (trx) => {
      await trx('abilities').insert({ group: 'default', model: 'm', channel_id: 77, enabled: 1 })
      await trx('users').increment('quota', 5)
    })
    const { stdout, exitCode } = await world().run(['db', 'check'])
    expect(exitCode).toBe(1)
    expect(stdout).toMatch(/^references +bad +abilities: 1 rows without their channels$/m)
    expect(stdout).toMatch(/^books +bad /m)
  })
})

test('db migrate applies and lists pending migrations; a second run has nothing to do', async () => {
  const world = await createWorld({}, { isEmpty: true })
  expect(await world.run(['db', 'status'])).toMatchObject({ exitCode: 3, stdout: '' })
  expect(existsSync(world.databaseFile)).toBe(false)
  const { applied } = await world.json('db', 'migrate')
  expect(applied[0]).toBe('0001-initial')
  const again = await world.run(['db', 'migrate'])
  expect(again).toMatchObject({ exitCode: 0, stderr: 'Nothing to do: all migrations are already applied.' })
  const other = { ...world.env, TOLLGATE_SECRET: 'another-secret-another-secret' }
  expect((await world.run(['db', 'check'], { env: other })).exitCode).toBe(1)
})

test('db needs a local database: a remote target is rejected with the next step', async () => {
  const world = await openBacking('server')
  for (const words of [['status'], ['migrate'], ['check'], ['backup', 'x.db']]) {
    const refused = await world.run(['db', ...words])
    expect(refused).toMatchObject({ exitCode: 2, stdout: '', stderr: expect.stringContaining('--profile local') })
  }
  expect(readdirSync(world.folder)).toEqual([])
})

test('check continues after a failed check, and starts with the integrity check', async () => {
  const { folder, env, close } = await openWorld()
  await close()
  const other = { ...env, TOLLGATE_SECRET: 'another-secret-another-secret' }
  const { run } = commandsIn({ env: other, folder })
  const { stdout, exitCode } = await run(['db', 'check'])
  expect(exitCode).toBe(1)
  for (const line of [/^integrity +ok/m, /^master key +bad/m, /^references +ok/m, /^books +ok/m]) {
    expect(stdout).toMatch(line)
  }
  expect(stdout).toMatch(/^master key +bad +The master key \(TOLLGATE_SECRET, or .*\) is not the one/m)
  expect(stdout.indexOf('integrity')).toBeLessThan(stdout.indexOf('master key'))
})

test.for(['sqlite', 'postgres'] as const)(
  'check and doctor report an interrupted copy, on %s, and repair completes it',
  async (kind, context) => {
    if (kind === 'postgres') await skipWithoutPostgres(context)
    const world = await createWorld(kind === 'postgres' ? { DATABASE_URL: await createPostgresDatabase() } : {})
    const { run, inside } = world
    await inside(async ({ db, options }, root) => {
      await installTriggers(db, await readTables(db))
      await options.set(root, 'SystemName', 'House')
    })
    const check = await run(['db', 'check'])
    expect(check).toMatchObject({
      exitCode: 1,
      stdout: expect.stringMatching(/^copy +bad +a copy is running or was killed.*db repair/m),
    })
    expect((await run(['doctor'])).stdout).toContain('a database copy is running or was killed')

    expect(await run(['db', 'repair', '--yes'])).toMatchObject({
      exitCode: 0,
      stderr: 'Removed the triggers of a copy.',
    })

    expect((await run(['db', 'check'])).stdout).not.toMatch(/^copy/m)
    await inside(async ({ db, options }, root) => {
      await options.set(root, 'SystemName', 'Another')
      const triggers =
        kind === 'sqlite'
          ? await db.reader('sqlite_master').where({ type: 'trigger' }).where('name', 'like', 'copy_%')
          : await db.reader('information_schema.triggers').where('trigger_name', 'like', 'copy_%')
      expect(triggers).toEqual([])
    })
    expect((await run(['db', 'repair'])).stderr).toBe('Nothing to repair.')
  },
)

test('repair has nothing to do on SQLite', async () => {
  const { run } = await openWorld()
  expect(await run(['db', 'repair', '--yes'])).toMatchObject({ exitCode: 0, stderr: 'Nothing to repair.' })
})

/** A PostgreSQL database with a sequence behind its table, and the triggers of a killed copy. */
async function withTwoRepairs() {
  const { toolkit, config } = await openTestToolkit({ database: 'postgres' })
  await toolkit.db.transaction((trx) => trx.raw("SELECT setval('users_id_seq', 1, false)"))
  await installTriggers(toolkit.db, await readTables(toolkit.db))
  const folder = config.dataFolder
  return { toolkit, folder, env: { ...environmentIn(folder), DATABASE_URL: config.databaseUrl } }
}

describe('db, on PostgreSQL', () => {
  test('check reports a sequence that is behind, and repair sets it after confirmation', async ({ skip }) => {
    await skipWithoutPostgres({ skip })
    const { toolkit, config } = await openTestToolkit({ database: 'postgres' })
    const folder = config.dataFolder
    const env = { ...environmentIn(folder), DATABASE_URL: config.databaseUrl }
    const { run, json } = commandsIn({ env, folder })
    await toolkit.db.transaction((trx) => trx.raw("SELECT setval('users_id_seq', 1, false)"))

    const checked = await run(['db', 'check'])
    expect(checked.exitCode).toBe(1)
    expect(checked.stdout).toMatch(/^sequences +bad +users: the next ID is already used/m)
    expect((await run(['db', 'repair'])).exitCode).toBe(2)
    expect(await json('db', 'repair', '--yes')).toMatchObject([{ table: 'users', next: 1, largest: 1 }])
    expect((await run(['db', 'check'])).stdout).toMatch(/^sequences +ok /m)
  })

  test.each([
    ['declined', 'n\r', { exitCode: 1, stderr: expect.stringContaining('nothing was changed') }],
    ['canceled', '\u0003', { exitCode: 130, stderr: expect.stringContaining('nothing was changed') }],
  ])('repair changes nothing if the second question is %s', async (_, keys, outcome) => {
    const { toolkit, folder, env } = await withTwoRepairs()
    const second = ['Remove the triggers', keys] as const

    expect(await typing({ env, folder }, ['db', 'repair'], [['Set 1 sequence', 'y\r'], second])).toMatchObject(outcome)

    expect(await findSequencesBehind(toolkit.db)).toMatchObject([{ table: 'users' }])
    const { exitCode } = await typing(
      { env, folder },
      ['db', 'repair'],
      [
        ['Set 1 sequence', 'y\r'],
        ['Remove the triggers', 'y\r'],
      ],
    )
    expect(exitCode).toBe(0)
    expect(await findSequencesBehind(toolkit.db)).toEqual([])
    expect(await countChangesOfCopy(toolkit.db)).toBeUndefined()
  })

  test('backup runs pg_dump without the password in its arguments, or prints the command', async ({ skip }) => {
    await skipWithoutPostgres({ skip })
    const databaseUrl = await createPostgresDatabase()
    const folder = await createFolder()
    const toolkit = await openToolkit({ databaseUrl, secret: undefined, dataFolder: folder })
    onTestFinished(() => toolkit.close())
    const env = { ...environmentIn(folder), DATABASE_URL: databaseUrl, TOLLGATE_SECRET: 'test-secret-test-secret' }
    const { run } = commandsIn({ env, folder })
    // What it is called with is what counts here: its versions do not fit all servers.
    writeFileSync(
      join(folder, 'pg_dump'),
      `#!/bin/sh\nprintf '%s\\n' "$@" > "${folder}/called"\necho "$PGPASSWORD" > "${folder}/password"\necho dump > "${folder}/x.dump"\n`,
    )
    chmodSync(join(folder, 'pg_dump'), 0o700)
    const withTool = { env: { ...env, PATH: `${folder}:${env.PATH}` } }
    expect(await run(['db', 'backup', 'x.dump'], withTool)).toMatchObject({ exitCode: 0 })
    const called = readFileSync(join(folder, 'called'), 'utf8')
    expect(called).toContain('--format=custom')
    expect(called).not.toContain(`:${new URL(databaseUrl).password}@`)
    const inQuery = `${databaseUrl}?password=in-a-query&application_name=a%20b`
    expect(await run(['db', 'backup', 'x.dump', '--force', '--database', inQuery], withTool)).toMatchObject({
      exitCode: 0,
    })
    expect(readFileSync(join(folder, 'called'), 'utf8')).toMatch(/^--dbname=\S+\?application_name=a%20b$/m)
    expect(readFileSync(join(folder, 'password'), 'utf8')).toBe('in-a-query\n')
    const without = await run(['db', 'backup', 'y.dump'], { env: { ...env, PATH: join(folder, 'nothing') } })
    expect(without).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('pg_dump --format=custom') })
    expect(existsSync(join(folder, 'y.dump'))).toBe(false)
    const status = await run(['db', 'status', '--json'])
    expect(JSON.parse(status.stdout)).toMatchObject({ kind: 'postgres', pending: [] })
  })
})

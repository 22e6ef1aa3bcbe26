import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { openToolkit } from '../../../core/toolkit.ts'
import { createPostgresDatabase } from '../../support/postgres.ts'
import { skipWithoutPostgres } from '../../support/toolkit.ts'
import { openBacking } from '../backings.ts'
import { commandsIn, createFolder, createWorld, environmentIn, SECRET } from '../support.ts'

/** A database whose key is in the file beside it, with one user more than its backup `copy.db` (and `copy.db.secret`). */
async function openWorld() {
  const world = await createWorld({ TOLLGATE_SECRET: '' }, { isEmpty: true })
  const { folder, run, databaseFile } = world
  const inside = async <T>(work: Parameters<typeof world.inside<T>>[0]) => {
    const config = { databaseUrl: world.env.DATABASE_URL, secret: undefined, dataFolder: join(folder, 'data') }
    const toolkit = await openToolkit(config)
    try {
      const root = (await toolkit.accounts.findRoot()) ?? (await toolkit.accounts.createRoot('root-password'))
      if (!root) throw new Error('no root user')
      return await work(toolkit, root)
    } finally {
      await toolkit.close()
    }
  }
  await inside(async () => undefined)
  expect((await run(['db', 'backup', 'copy.db', '--with-key'])).exitCode).toBe(0)
  await inside(({ accounts }, root) => accounts.create(root, { username: 'later', password: 'long-enough-1' }))
  const usernames = async () =>
    (await world.json('user', 'list')).items.map((user: { username: string }) => user.username)
  return { ...world, inside, usernames, secret: join(folder, 'data', 'tollgate.secret'), databaseFile }
}

/** All files below a folder with their bytes, to see that nothing changed. */
const contentsOf = (folder: string) =>
  Object.fromEntries(
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && !/-(wal|shm)$/.test(entry.name))
      .map((entry) => join(entry.parentPath, entry.name))
      .map((path) => [path, readFileSync(path).toString('base64')]),
  )

describe('db restore, on SQLite', () => {
  test('replaces the database with the backup, and keeps the old files aside', async () => {
    const { run, json, usernames, databaseFile, folder } = await openWorld()
    mkdirSync(join(folder, 'data', 'journal'))
    writeFileSync(join(folder, 'data', 'journal', '1-abc.journal'), 'charges')
    expect(await usernames()).toContain('later')

    const restored = await json('db', 'restore', 'copy.db', '--yes')

    expect(restored).toMatchObject({ file: 'copy.db', database: databaseFile, pending: [] })
    expect(await usernames()).toEqual(['root'])
    expect((await run(['db', 'check'])).exitCode).toBe(0)
    expect(statSync(databaseFile).mode & 0o777).toBe(0o600)
    expect(statSync(restored.previous).mode & 0o777).toBe(0o700)
    expect(readdirSync(restored.previous).sort()).toEqual(['journal', 'tollgate.db'])
    // The present key fits, and stays where it is: what was moved can be read with it.
    const before = ['--database', `sqlite:${join(restored.previous, 'tollgate.db')}`]
    const env = environmentIn(folder)
    const key = readFileSync(join(folder, 'data', 'tollgate.secret'), 'utf8').trim()
    const users = await run(['user', 'list', '--json', ...before], { env: { ...env, TOLLGATE_SECRET: key } })
    expect(users.stdout).toContain('later')
  })

  test('restores the key of another machine, and keeps the previous one', async () => {
    const [there, here] = [await openWorld(), await openWorld()]
    const [keyThere, keyHere] = [readFileSync(there.secret, 'utf8'), readFileSync(here.secret, 'utf8')]
    cpSync(join(there.folder, 'copy.db'), join(here.folder, 'other.db'))
    const without = await here.run(['db', 'restore', 'other.db', '--yes'])
    expect(without).toMatchObject({ exitCode: 1, stderr: expect.stringMatching(/master key .*--key/) })
    expect(await here.usernames()).toContain('later')

    cpSync(join(there.folder, 'copy.db.secret'), join(here.folder, 'other.key'))
    const { previous } = await here.json('db', 'restore', 'other.db', '--key', 'other.key', '--yes')

    expect(readFileSync(here.secret, 'utf8')).toBe(keyThere)
    expect(statSync(here.secret).mode & 0o777).toBe(0o600)
    expect(readFileSync(join(previous, 'tollgate.secret'), 'utf8')).toBe(keyHere)
    expect((await here.run(['db', 'check'])).exitCode).toBe(0)
  })

  test('restores without an existing database', async () => {
    const { folder } = await openWorld()
    const empty = await createFolder()
    for (const name of ['copy.db', 'copy.db.secret']) cpSync(join(folder, name), join(empty, name))
    const env = { ...environmentIn(empty), DATABASE_URL: `sqlite:${join(empty, 'data', 'tollgate.db')}` }
    const { json, run } = commandsIn({ env, folder: empty })
    expect(await json('db', 'restore', 'copy.db')).toMatchObject({ previous: null })
    expect((await run(['db', 'check'])).exitCode).toBe(0)
  })

  test('is rejected while a gateway has the database open, with exit code 5, and changes nothing', async () => {
    const { run, inside, folder } = await openWorld()
    await inside(async () => {
      const before = contentsOf(folder)
      const refused = await run(['db', 'restore', 'copy.db', '--yes'])
      expect(refused).toMatchObject({ exitCode: 5, stderr: expect.stringContaining('Stop the gateway first') })
      expect(contentsOf(folder)).toEqual(before)
    })
    expect((await run(['db', 'restore', 'copy.db', '--yes'])).exitCode).toBe(0)
  })

  test.each([
    ['garbage', (file: string) => writeFileSync(file, 'no database at all, but long enough for a header '.repeat(50))],
    [
      'a backup with a page of zeros',
      (file: string) => {
        const bytes = readFileSync(file)
        bytes.fill(0, 8192, 12_288)
        writeFileSync(file, bytes)
      },
    ],
    ['half a backup', (file: string) => writeFileSync(file, readFileSync(file).subarray(0, 20_480))],
    ['an empty file', (file: string) => writeFileSync(file, '')],
  ])('rejects %s before any change', async (_, spoil) => {
    const { run, folder } = await openWorld()
    spoil(join(folder, 'copy.db'))
    const before = contentsOf(folder)
    const refused = await run(['db', 'restore', 'copy.db', '--yes'])
    expect(refused).toMatchObject({ exitCode: 1, stdout: '', stderr: expect.stringMatching(/^error: .*copy\.db/) })
    expect(contentsOf(folder)).toEqual(before)
  })

  test('rejects a backup of a newer version, the database itself, and a missing file', async () => {
    const { run, inside, databaseFile } = await openWorld()
    expect(await run(['db', 'restore', databaseFile, '--yes'])).toMatchObject({ exitCode: 2 })
    expect(await run(['db', 'restore', 'nowhere.db', '--yes'])).toMatchObject({ exitCode: 1 })
    await inside(({ db }) => db.transaction((trx) => trx('migrations').insert({ name: '9999-future', applied_at: 1 })))
    expect((await run(['db', 'backup', 'newer.db'])).exitCode).toBe(1)
  })

  test('asks for confirmation', async () => {
    const { run, usernames, databaseFile } = await openWorld()
    const refused = await run(['db', 'restore', 'copy.db'])
    expect(refused).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('--yes') })
    expect(await usernames()).toContain('later')
    expect(existsSync(`${databaseFile}.restoring`)).toBe(false)
  })

  test('leaves all files unchanged if the last step fails', async () => {
    const { run, folder, secret } = await openWorld()
    const before = contentsOf(folder)
    writeFileSync(join(folder, 'copy.db.secret'), `${readFileSync(secret, 'utf8').trim()}\n`)
    // A folder in the place of the copy that is to be made.
    mkdirSync(join(folder, 'data', 'tollgate.db.restoring', 'x'), { recursive: true })
    const failed = await run(['db', 'restore', 'copy.db', '--yes'])
    expect(failed.exitCode).toBe(1)
    expect(contentsOf(folder)).toEqual(before)
  })
})

test('rejects a remote target with the next step', async () => {
  const world = await openBacking('server')
  writeFileSync(join(world.folder, 'copy.db'), '')
  const refused = await world.run(['db', 'restore', 'copy.db', '--yes'])
  expect(refused).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('--profile local') })
})

test('db backup names --force for an existing file, and replaces it after the copy is complete', async () => {
  const { run, folder, inside } = await openWorld()
  const refused = await run(['db', 'backup', 'copy.db'])
  expect(refused).toMatchObject({ exitCode: 5, stderr: expect.stringContaining('--force') })
  const before = readFileSync(join(folder, 'copy.db'))
  expect((await run(['db', 'backup', 'copy.db', '--with-key', '--force'])).exitCode).toBe(0)
  expect(readFileSync(join(folder, 'copy.db')).equals(before)).toBe(false)
  expect(readdirSync(folder).filter((name) => name.endsWith('.new'))).toEqual([])
  await inside(async () => undefined)
})

test('a database locked by another process is reported in one line, with exit code 5', async () => {
  const world = await createWorld()
  await world.inside(({ db }) =>
    db.transaction(async () => {
      const { exitCode, stdout, stderr } = await world.run(['token', 'create', 'app'])
      expect({ exitCode, stdout }).toEqual({ exitCode: 5, stdout: '' })
      expect(stderr).toMatch(/^error: the database is locked by another process[^\n]*$/)
    }),
  )
})

test("root's password can be reset on the machine itself", async () => {
  const world = await createWorld()
  const { password } = await world.json('user', 'password', 'root', '--generate')
  await world.inside(async ({ accounts }) => {
    expect(await accounts.login({ username: 'root', password })).toMatchObject({ user: { username: 'root' } })
  })
})

describe('db restore, on PostgreSQL', () => {
  /** In the place of pg_restore, whose version must fit the server: it runs the archive, which is SQL here, as one transaction. */
  const PG_RESTORE = `#!/usr/bin/env node
const { readFileSync } = require('node:fs')
const words = process.argv.slice(2)
const sql = readFileSync(words.at(-1), 'utf8')
if (!sql.startsWith('-- archive')) { console.error('input file does not appear to be a valid archive'); process.exit(1) }
if (words.includes('--list')) process.exit(0)
const { Client } = require(process.env.PG_MODULE)
const client = new Client({ connectionString: words.find((word) => word.startsWith('--dbname=')).slice(9), password: process.env.PGPASSWORD })
client.connect().then(() => client.query(sql)).then(() => client.end()).catch((error) => { console.error(error.message); process.exit(1) })
`

  async function openPostgresWorld() {
    const databaseUrl = await createPostgresDatabase()
    const folder = await createFolder()
    const toolkit = await openToolkit({ databaseUrl, secret: SECRET, dataFolder: join(folder, 'data') })
    onTestFinished(() => toolkit.close())
    await toolkit.accounts.createRoot('root-password')
    const program = join(folder, 'pg_restore')
    writeFileSync(program, PG_RESTORE)
    chmodSync(program, 0o700)
    const pg = new URL('../../../node_modules/pg', import.meta.url).pathname
    const { PATH, ...rest } = environmentIn(folder)
    const env = {
      ...rest,
      DATABASE_URL: databaseUrl,
      TOLLGATE_SECRET: SECRET,
      PATH: `${folder}:${PATH}`,
      PG_MODULE: pg,
    }
    const fingerprint: string = (await toolkit.db.reader('meta').where({ key: 'secret_fingerprint' }).first()).value
    const archive = (name: string, key = fingerprint) =>
      writeFileSync(
        join(folder, name),
        `-- archive
        CREATE TABLE public.migrations (id serial, name text UNIQUE, applied_at bigint);
        INSERT INTO public.migrations (name, applied_at) VALUES ('0001-initial', 1);
        CREATE TABLE public.meta (key text PRIMARY KEY, value text);
        INSERT INTO public.meta VALUES ('secret_fingerprint', '${key}');`,
      )
    return { toolkit, folder, env, archive, ...commandsIn({ env, folder }) }
  }

  test('keeps the previous tables in another schema, and restores them if the backup does not fit', async ({
    skip,
  }) => {
    await skipWithoutPostgres({ skip })
    const { toolkit, folder, archive, run, json } = await openPostgresWorld()
    const { reader } = toolkit.db
    archive('good.dump')
    archive('foreign.dump', 'another')
    writeFileSync(join(folder, 'broken.dump'), '-- archive\nCREATE TABLE public.users (id int); SELECT nonsense;')
    writeFileSync(join(folder, 'garbage.dump'), 'x')
    for (const name of ['foreign.dump', 'broken.dump', 'garbage.dump']) {
      expect(await run(['db', 'restore', name, '--yes'])).toMatchObject({ exitCode: 1, stdout: '' })
      expect(await reader('users').pluck('username')).toEqual(['root'])
    }

    const { previous, pending } = await json('db', 'restore', 'good.dump', '--yes')

    expect(previous).toMatch(/^before_restore_\d{8}_\d{6}$/)
    expect(pending.length).toBeGreaterThan(0)
    expect(await reader('migrations').pluck('name')).toEqual(['0001-initial'])
    expect(await reader.withSchema(previous).from('users').pluck('username')).toEqual(['root'])
  })

  test('leaves the database unchanged if its key cannot be written', async ({ skip }) => {
    await skipWithoutPostgres({ skip })
    const { toolkit, folder, env, archive, run } = await openPostgresWorld()
    const { reader } = toolkit.db
    archive('good.dump')
    writeFileSync(join(folder, 'good.dump.secret'), `${SECRET}\n`)
    // A file in the place of the data folder.
    writeFileSync(join(folder, 'data'), '')

    const withKeyFile = { env: { ...env, TOLLGATE_SECRET: '' } }
    const failed = await run(['db', 'restore', 'good.dump', '--yes'], withKeyFile)

    expect(failed).toMatchObject({ exitCode: 1, stdout: '', stderr: expect.stringContaining('tollgate.secret') })
    expect(await reader('users').pluck('username')).toEqual(['root'])
    const schemas = reader('pg_namespace').where('nspname', 'like', 'before_restore%').pluck('nspname')
    expect(await schemas).toEqual([])

    rmSync(join(folder, 'data'))
    expect((await run(['db', 'restore', 'good.dump', '--yes'], withKeyFile)).exitCode).toBe(0)
    expect(readFileSync(join(folder, 'data', 'tollgate.secret'), 'utf8')).toBe(`${SECRET}\n`)
  })

  test('is rejected while a gateway sends heartbeats', async ({ skip }) => {
    await skipWithoutPostgres({ skip })
    const { toolkit, archive, run } = await openPostgresWorld()
    archive('good.dump')
    await toolkit.ledger.start()
    expect(await run(['db', 'restore', 'good.dump', '--yes'])).toMatchObject({
      exitCode: 5,
      stderr: expect.stringContaining('Stop the gateway first'),
    })
  })
})

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { rootAfterImport } from '../../../../cli/root-user.ts'
import { openToolkit } from '../../../../core/toolkit.ts'
import { digests } from '../../../support/files.ts'
import { whenDone } from '../../../support/lifetime.ts'
import { edit } from '../../../support/peers/imports.ts'
import { createNewApiDatabase } from '../../../support/peers/new-api.js'
import { cliForReading } from '../../reference/command-line.ts'
import { createWorld } from '../../support.ts'

async function openWorld(options = { isEmpty: true }) {
  const world = await createWorld({}, options)
  const file = join(world.folder, 'one-api.db')
  await createNewApiDatabase(file)
  return { ...world, file }
}

test('a dry run prints tables, sums and differences, and creates no database', async () => {
  const { run, file, folder, databaseFile } = await openWorld()
  const before = await digests(folder)

  const { stdout, exitCode } = await run(['import', 'new-api', file, '--dry-run'])

  expect(exitCode).toBe(0)
  expect(stdout).toMatch(/users +20 +20 +0 +0 +0 +quota \d+ equal, used_quota \d+ equal/)
  expect(stdout).toContain('Theme: without effect')
  expect(stdout).toContain('house-model: ratio 1.25, completion 4 → ratio 3')
  expect(existsSync(databaseFile)).toBe(false)
  expect(await digests(folder)).toEqual(before)
})

test('--yes imports without a prompt, also into a new database; list shows the import and undo reverts it', async () => {
  const { run, json } = await openWorld({ isEmpty: false })

  const done = await json('import', 'new-api', 'one-api.db', '--yes', '--logs', 'none')
  expect(done).toMatchObject({ id: 1, dryRun: false, product: 'new-api', skipped: [] })
  expect(done.tables.find(({ table }: { table: string }) => table === 'users')).toMatchObject({
    imported: 20,
    sums: { quota: {} },
  })
  expect((await run(['ledger', 'verify'])).stdout).toContain('equal for 21 users')
  expect((await run(['import', 'list'])).stdout).toMatch(/1 +new-api +\S+one-api\.db +done +\S+ +20 +40 +5 +0/)
  expect(await json('import', 'list')).toMatchObject([{ id: 1, status: 'done' }])

  expect(await run(['import', 'undo', '1'])).toMatchObject({ exitCode: 2 })
  await json('option', 'set', 'SystemName', 'Changed since')
  expect(await json('import', 'undo', '1', '--yes')).toMatchObject({
    id: 1,
    deleted: { users: 20, tokens: 40 },
    keptOptions: ['SystemName'],
  })
  expect(await run(['import', 'undo', '1', '--yes'])).toMatchObject({
    exitCode: 5,
    stderr: expect.stringContaining('undone already'),
  })
  expect(await run(['import', 'undo', '7', '--yes'])).toMatchObject({ exitCode: 3 })
  expect((await json('user', 'list')).total).toBe(1)
})

test('without a terminal and --yes nothing is imported, and the report is printed', async () => {
  const { run, file, databaseFile } = await openWorld()
  const { exitCode, stdout, stderr } = await run(['import', 'new-api', file])
  expect(exitCode).toBe(2)
  expect(stdout).toContain('users')
  expect(stderr).toContain('--yes')
  expect(existsSync(databaseFile)).toBe(false)
})

test('a new database gets its root user from the source', async () => {
  const { run } = await openWorld()
  const done = await run(['import', 'new-api', 'one-api.db', '--yes'])
  expect(done).toMatchObject({ exitCode: 0 })
  expect(done.stderr).toContain('The import added the root user. To undo the import, delete the database')
  expect(done.stderr).not.toContain('import undo')
  expect(await run(['import', 'undo', '1', '--yes'])).toMatchObject({
    exitCode: 5,
    stderr: expect.stringContaining('To start over, delete the database (with SQLite its file)'),
  })
  const { stdout } = await run(['status', '--json'])
  expect(stdout).toContain('"root"')
})

describe('a source without a root user', () => {
  const importing = async (settings: Record<string, string>) => {
    const world = await createWorld(settings, { isEmpty: true })
    const file = join(world.folder, 'one-api.db')
    await createNewApiDatabase(file)
    await edit(file, 'UPDATE users SET role = 1')
    return { ...world, done: await world.run(['import', 'new-api', file, '--yes']) }
  }

  test('gets one with ROOT_PASSWORD, beside an existing user of that name, and the import can be undone', async () => {
    const { run, json, done } = await importing({})
    expect(done).toMatchObject({ exitCode: 0 })
    expect(done.stderr).toContain('created root-2 with the password in ROOT_PASSWORD')
    expect((await run(['ledger', 'verify'])).stdout).toContain('equal for 21 users')
    expect(await json('import', 'undo', '1', '--yes')).toMatchObject({ id: 1, deleted: { users: 20 } })
  })

  test('gets none without a password and a terminal; commands say so, and init creates it', async () => {
    const { run, done, databaseFile, json } = await importing({ ROOT_PASSWORD: '' })
    expect(done).toMatchObject({ exitCode: 0 })
    expect(done.stderr).toContain('The source has no root user. Create one: tollgate init')
    expect(await run(['import', 'list'])).toMatchObject({
      exitCode: 3,
      stderr: expect.stringContaining(
        `the database at ${databaseFile} has no root user: create one with tollgate init`,
      ),
    })
    const init = ['init', '--root-password', 'correct horse', '--skip-channel', '--skip-token']
    expect(await run(init)).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('root-2') })
    expect(await json('import', 'list')).toMatchObject([{ id: 1, status: 'done' }])
  })

  test('gets one with a generated password, shown on the terminal', async () => {
    const { env, folder } = await importing({ ROOT_PASSWORD: '' })
    const notes: string[] = []
    const cli = { ...cliForReading(), interactive: true, note: (line: string) => void notes.push(line) }
    const config = { databaseUrl: env.DATABASE_URL, secret: env.TOLLGATE_SECRET, dataFolder: join(folder, 'data') }
    const toolkit = await openToolkit(config)
    whenDone(() => toolkit.close())

    await rootAfterImport(cli, toolkit, { rootPassword: undefined })
    await rootAfterImport(cli, toolkit, { rootPassword: undefined })

    const [, password = ''] = /created root-2 with the password (\w+) \(shown only once\)/.exec(notes.join()) ?? []
    expect(notes).toHaveLength(1)
    expect((await toolkit.accounts.login({ username: 'root-2', password })).user.role).toBe(100)
  })
})

test.each([
  [['import', 'new-api', 'none.db', '--yes'], 1, 'cannot be read'],
  [['import', 'one-api', 'one-api.db', '--yes'], 2, 'tollgate import new-api'],
  [['import', 'new-api', 'one-api.db', '--logs', 'some'], 2, 'all, none, or a time'],
  [['import', 'new-api', 'one-api.db', '--since-last', '--yes'], 5, 'without --since-last'],
  [['import', 'new-api', 'one-api.db', '--yes', '--server', 'http://127.0.0.1:9'], 2, 'needs the database itself'],
  [['import', 'list', '--server', 'http://127.0.0.1:9'], 2, 'needs the database itself'],
] as const)('%j is rejected with the next step', async (words, code, text) => {
  const { run, env } = await openWorld({ isEmpty: false })
  const { exitCode, stderr } = await run(words, {
    env: { ...env, ...(words.join(' ').includes('--server') && { TOLLGATE_TOKEN: 'a token' }) },
  })
  expect(stderr).toContain(text)
  expect(exitCode).toBe(code)
})

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { digests } from '../../../support/files.ts'
import { createNewApiDatabase } from '../../../support/peers/new-api.js'
import { createWorld } from '../../support.ts'

async function openWorld(options = { isEmpty: true }) {
  const world = await createWorld({}, options)
  const file = join(world.folder, 'one-api.db')
  await createNewApiDatabase(file)
  return { ...world, file }
}

test('a dry run prints tables, sums and what differs, and makes no database', async () => {
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

test('--yes imports without a question, into a new database too; list shows it and undo takes it back', async () => {
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
  expect(await json('import', 'undo', '1', '--yes')).toMatchObject({ id: 1, deleted: { users: 20, tokens: 40 } })
  expect(await run(['import', 'undo', '1', '--yes'])).toMatchObject({
    exitCode: 5,
    stderr: expect.stringContaining('undone already'),
  })
  expect(await run(['import', 'undo', '7', '--yes'])).toMatchObject({ exitCode: 3 })
  expect((await json('user', 'list')).total).toBe(1)
})

test('without a terminal and without --yes nothing is imported, and the report is printed', async () => {
  const { run, file, databaseFile } = await openWorld()
  const { exitCode, stdout, stderr } = await run(['import', 'new-api', file])
  expect(exitCode).toBe(2)
  expect(stdout).toContain('users')
  expect(stderr).toContain('--yes')
  expect(existsSync(databaseFile)).toBe(false)
})

test('a new database gets its root user from the source', async () => {
  const { run } = await openWorld()
  expect(await run(['import', 'new-api', 'one-api.db', '--yes'])).toMatchObject({ exitCode: 0 })
  const { stdout } = await run(['status', '--json'])
  expect(stdout).toContain('"root"')
})

test.each([
  [['import', 'new-api', 'none.db', '--yes'], 1, 'cannot be read'],
  [['import', 'one-api', 'one-api.db', '--yes'], 2, 'tollgate import new-api'],
  [['import', 'new-api', 'one-api.db', '--logs', 'some'], 2, 'all, none, or a time'],
  [['import', 'new-api', 'one-api.db', '--since-last', '--yes'], 5, 'without --since-last'],
  [['import', 'new-api', 'one-api.db', '--yes', '--server', 'http://127.0.0.1:9'], 2, 'works on the database itself'],
  [['import', 'list', '--server', 'http://127.0.0.1:9'], 2, 'works on the database itself'],
] as const)('%j is refused with what to do', async (words, code, text) => {
  const { run, env } = await openWorld({ isEmpty: false })
  const { exitCode, stderr } = await run(words, {
    env: { ...env, ...(words.join(' ').includes('--server') && { TOLLGATE_TOKEN: 'a token' }) },
  })
  expect(stderr).toContain(text)
  expect(exitCode).toBe(code)
})

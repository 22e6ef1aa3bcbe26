import { existsSync } from 'node:fs'
import { appendFile, readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { createWorld, type World } from '../support.ts'

/** Two days before the end of a month; a row comes every minute. */
const START = Date.UTC(2026, 0, 30) / 1000
const ROWS = 6000

async function withRows(rows: number): Promise<World> {
  const world = await createWorld()
  await world.inside(({ db }) =>
    db.transaction((trx) =>
      trx.raw(
        `INSERT INTO logs (user_id, username, type, content, created_at)
        WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?)
        SELECT 1, 'many', 4, 'row ' || i, ? + i * 60 FROM n`,
        [rows, START],
      ),
    ),
  )
  return world
}

const rowsLeft = (world: World): Promise<string[]> =>
  world.inside(({ db }) => db.reader('logs').where({ username: 'many' }).pluck('content'))

async function rowsArchived(folder: string): Promise<string[]> {
  const files = (await readdir(folder)).filter((name) => name.endsWith('.jsonl.gz'))
  const texts = await Promise.all(files.map((name) => readFile(join(folder, name))))
  return texts.flatMap((bytes) =>
    gunzipSync(bytes)
      .toString()
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line).content),
  )
}

test('log archive writes files, verifies them, and removes their rows after confirmation', async () => {
  const world = await withRows(4000)
  const done = await world.run(['log', 'archive', '--before', '2026-02-02T00:00Z', '--to', 'archive'])
  expect(done).toMatchObject({
    exitCode: 0,
    stderr: expect.stringMatching(/^Archived log rows to 2 files in archive: 4000; removed 0\.$/),
  })
  expect(done.stdout).toMatch(/logs-2026-01-001\.jsonl\.gz +2879 +\d+ +0\n/)

  const file = join('archive', 'logs-2026-01-001.jsonl.gz')
  expect(await world.json('log', 'archive', '--verify', file)).toMatchObject({
    rows: 2879,
    file: 'logs-2026-01-001.jsonl.gz',
  })
  const remove = ['log', 'archive', '--before', '2026-02-02T00:00Z', '--to', 'archive', '--remove']
  expect((await world.run(remove)).exitCode).toBe(2)
  expect(await rowsLeft(world)).toHaveLength(4000)
  expect(await world.json(...remove, '--yes')).toMatchObject({ rows: 0, removed: 4000 })

  expect(await rowsLeft(world)).toEqual([])
  await appendFile(join(world.folder, file), 'x')
  const damaged = await world.run(['log', 'archive', '--verify', file])
  expect(damaged).toMatchObject({
    exitCode: 1,
    stdout: '',
    stderr: expect.stringContaining('is not a complete log archive'),
  })
}, 120_000)

test.each([
  [['--to', 'archive'], 'pass --before'],
  [['--before', '1h'], 'set the option LogArchiveBeforeRemoval'],
  [['--before', 'yesterday'], '--before'],
  [
    ['--before', '2999-01-01', '--to', 'x'],
    "invalid value '2999-01-01' of option '--before <when>'. Expected a time in the past.",
  ],
  [['--verify', 'x.jsonl.gz', '--remove'], '--verify cannot be combined with other options'],
  [['--before', '1h', '--to', 'x', '--server', 'http://127.0.0.1:9'], 'needs the database itself'],
] as const)('log archive %j is a usage error with the next step', async (words, text) => {
  const { run, env } = await createWorld()
  const refused = await run(['log', 'archive', ...words], {
    env: { ...env, ...(words.join(' ').includes('--server') && { TOLLGATE_TOKEN: 'a token' }) },
  })
  expect(refused).toMatchObject({ exitCode: 2, stdout: '', stderr: expect.stringContaining(text) })
})

test('log archive uses the folder of the option', async () => {
  const { json, folder, run } = await createWorld()
  await run(['option', 'set', 'LogArchiveBeforeRemoval', join(folder, 'kept')])
  expect(await json('log', 'archive', '--before', '1h')).toMatchObject({ folder: join(folder, 'kept'), files: [] })
})

test('log archive killed during removal loses no rows, and the next run completes it', async () => {
  const world = await withRows(ROWS)
  const words = ['log', 'archive', '--before', '2026-03-01T00:00Z', '--to', 'archive', '--remove', '--yes']
  const folder = join(world.folder, 'archive')
  const running = world.start(words)
  await expect
    .poll(() => existsSync(join(folder, 'logs-2026-01-001.manifest.json')), { timeout: 20_000, interval: 5 })
    .toBe(true)
  running.kill('SIGKILL')
  await running

  const all = new Set([...(await rowsLeft(world)), ...(await rowsArchived(folder))])
  expect(all.size).toBe(ROWS)
  expect((await rowsLeft(world)).length).toBeGreaterThan(0)
  expect((await world.run(words)).exitCode).toBe(0)

  const archived = await rowsArchived(folder)
  expect(archived).toHaveLength(ROWS)
  expect(new Set(archived).size).toBe(ROWS)
  expect(await rowsLeft(world)).toEqual([])
  expect((await world.run(['ledger', 'verify'])).exitCode).toBe(0)
}, 120_000)

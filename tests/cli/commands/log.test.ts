import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { LocalToolkit } from '../../../core/toolkit.ts'
import { openTestGateway, serve } from '../../support/gateway.ts'
import { shared } from '../../support/lifetime.ts'
import { BACKINGS, openBacking } from '../backings.ts'
import { interrupted } from '../interrupted.ts'
import { createFolder, environmentIn, relayed } from '../support.ts'

/** Log rows as another program writes them. */
const write = ({ db }: LocalToolkit, rows: Record<string, unknown>[]) =>
  db.transaction((trx) => trx.batchInsert('logs', rows, 50))

describe.each(BACKINGS)('log, on a %s', (kind) => {
  const world = shared(async () => {
    const opened = await openBacking(kind)
    await opened.inside(async (toolkit, root) => {
      const ann = await toolkit.accounts.create(root, { username: 'ann', password: 'correct horse', quota: 10_000 })
      await relayed(toolkit, { id: root.id, username: 'root' })
      await relayed(toolkit, ann)
      await relayed(toolkit, ann, 7)
    })
    return opened
  })
  const total = async (...flags: string[]): Promise<number> => (await world().json('log', 'list', ...flags)).total

  test('list shows relays newest first, filtered by type, user, model, time and request', async () => {
    expect(await total('--type', 'consumption', '--token', 'app')).toBe(3)
    expect(await total('--type', '2', '--user', 'ann')).toBe(2)
    expect(await total('--model', 'gpt-%', '--since', '1h')).toBe(3)
    expect(await total('--model', 'o3-mini')).toBe(0)
    expect(await total('--until', '2024-01-31')).toBe(0)
    const { items } = await world().json('log', 'list', '--limit', '1')
    expect(await total('--request', items[0].request_id)).toBe(1)
    const { stdout } = await world().run(['log', 'list', '--limit', '1'])
    expect(stdout).toMatch(/\d{4}-\S+Z +consumption +ann +app +gpt-4o +- +120 +80 +7 \(\$0\.000014\) +2 s/)
  })

  test('list replaces an existing file only with --force', async () => {
    const write = ['log', 'list', '--output', 'rows.csv']
    expect((await world().run(write)).exitCode).toBe(0)
    expect((await world().run(write)).stderr).toContain('--force')
    expect((await world().run([...write, '--force'])).exitCode).toBe(0)
  })

  test('list shows remarks of the gateway in the language of the terminal', async () => {
    const english = await world().run(['log', 'list', '--type', 'system', '--user', 'ann'])
    expect(english.stdout).toContain('Granted $0.020000 to a new user')
    const chinese = await world().run(['log', 'list', '--type', 'system', '--user', 'ann', '--language', 'zh'])
    expect(chinese.stdout).toContain('新用户注册赠送 ＄0.020000 额度')
  })

  test.each([
    ['--since', 'yesterday'],
    ['--since', '-1h'],
    ['--type', 'nonsense'],
    ['--channel', '1e3'],
    ['--limit', '1001'],
    ['--sort', 'nonsense'],
  ])('list rejects %s %s by name', async (flag, value) => {
    const refused = await world().run(['log', 'list', flag, value])
    expect(refused).toMatchObject({ exitCode: 2, stdout: '', stderr: expect.stringContaining(flag) })
  })

  test('list shows the rows of an API key to its holder, and accepts no other filter with --key', async () => {
    const { key } = await world().inside(async (toolkit, root) => {
      const token = await toolkit.tokens.create(root, { name: 'watched', unlimited_quota: true })
      await write(toolkit, [{ user_id: root.id, token_id: token.id, type: 4, content: 'of the key', created_at: 5 }])
      return token
    })
    const listed = await world().run(['log', 'list', '--key-stdin', '--json'], { input: `sk-${key}\n` })
    expect(JSON.parse(listed.stdout)).toMatchObject({ total: 1, items: [{ content: 'of the key' }] })
    expect((await world().run(['log', 'list', '--key-stdin', '--user', 'ann'], { input: key })).exitCode).toBe(2)
    expect((await world().run(['log', 'list', '--key-stdin'])).exitCode).toBe(2)
  })

  test('get and receipt show one row; a missing row is not found, and other rows have no receipt', async () => {
    const { items } = await world().json('log', 'list', '--type', 'consumption', '--limit', '2')
    const [forged, fair] = items.map(({ id }: { id: number }) => String(id))
    expect(await world().json('log', 'get', fair)).toEqual(items[1])
    const { stdout, exitCode } = await world().run(['log', 'receipt', fair])
    expect(exitCode).toBe(0)
    expect(stdout).toMatch(/^prompt tokens +120 × 1 += 120$/m)
    expect(stdout).toMatch(/^computed +220 \(\$0\.00044\)$/m)
    expect(stdout.split('\n').at(-1)).toBe('equal')
    const wrong = await world().run(['log', 'receipt', forged, '--json'])
    expect(wrong.exitCode).toBe(1)
    expect(JSON.parse(wrong.stdout)).toMatchObject({ equal: false, charged: 7, recomputed: 220 })
    const system = await world().run(['log', 'receipt', '1'])
    expect(system).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('log row 1 is not a relay') })
    for (const words of [
      ['receipt', '99999'],
      ['get', '99999'],
    ]) {
      expect((await world().run(['log', ...words])).exitCode).toBe(3)
    }
  })

  test('stat sums the filtered rows', async () => {
    expect(await world().json('log', 'stat', '--user', 'ann')).toMatchObject({ quota: 227, rpm: 2, tpm: 400 })
    expect((await world().run(['log', 'stat', '--user', 'root'])).stdout).toMatch(/^cost +220 \(\$0\.00044\)$/m)
  })

  test('search filters by type and by text prefix', async () => {
    await world().inside((toolkit) =>
      write(toolkit, [{ user_id: 1, type: 4, content: 'found\u001b[2J', created_at: 7 }]),
    )
    expect(await world().json('log', 'search', 'found')).toMatchObject([{ content: 'found\u001b[2J' }])
    const { stdout } = await world().run(['log', 'search', 'found'])
    expect(stdout).not.toContain('\u001b')
    expect(await world().run(['log', 'search', 'nothing'])).toMatchObject({ exitCode: 0, stderr: 'No log rows.' })
  })

  test('tail prints the last rows, oldest first, below one header', async () => {
    const { stdout } = await world().run(['log', 'tail', '-n', '2', '--type', 'consumption'])
    expect(stdout.split('\n').map((line) => / (COST|220|7) /.exec(line)?.[1])).toEqual(['COST', '220', '7'])
    const { stdout: none } = await world().run(['log', 'tail', '-n', '0'])
    expect(none).toBe('')
  })

  test('tail -f prints each new row once, also late ones, until interrupted, with exit code 0', async () => {
    const row = (id: number) => ({ id, user_id: 1, type: 4, content: `row ${id}`, created_at: 9, username: 'tailed' })
    await world().inside((toolkit) => write(toolkit, [row(5000)]))
    const tail = interrupted(world(), ['log', 'tail', '-f', '-n', '1', '--user', 'tailed', '--json'])
    await tail.until((text) => text.includes('row 5000'))
    // As PostgreSQL may commit them.
    await world().inside((toolkit) => write(toolkit, [row(5002)]))
    await tail.until((text) => text.includes('row 5002'))
    await world().inside((toolkit) => write(toolkit, [row(5001), row(5003)]))
    await tail.until((text) => text.includes('row 5003'))
    const { stdout, exitCode } = await tail.interrupt()
    const rows = stdout.split('\n').map((line) => JSON.parse(line).content)
    expect({ exitCode, rows }).toEqual({ exitCode: 0, rows: ['row 5000', 'row 5002', 'row 5001', 'row 5003'] })
  })

  test('export writes every row once, as CSV or JSON lines, to a new file with mode 0600', async () => {
    const rows = Array.from({ length: 2345 }, (_, at) => ({
      user_id: 1,
      username: 'exported',
      type: 4,
      content: at === 0 ? '=1+1, "x"' : `row ${at}`,
      created_at: 1000 + (at % 7),
    }))
    await world().inside((toolkit) => write(toolkit, rows))
    const { stderr, stdout } = await world().run(['log', 'export', '--user', 'exported', '--output', 'rows.jsonl'])
    expect({ stdout, stderr }).toEqual({ stdout: '', stderr: 'Wrote 2345 rows to rows.jsonl.' })
    const file = join(world().folder, 'rows.jsonl')
    const written = readFileSync(file, 'utf8').trimEnd().split('\n')
    const ids = written.map((line) => JSON.parse(line).id as number)
    expect(new Set(ids).size).toBe(2345)
    expect(ids).toEqual([...ids].sort((a, b) => b - a))
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect((await world().run(['log', 'export', '--output', 'rows.jsonl'])).exitCode).toBe(5)

    const csv = await world().run(['log', 'export', '--user', 'exported', '--format', 'csv'])
    expect(csv.stdout).toMatch(/^id,time,type,user_id/)
    expect(csv.stdout).toMatch(/,"'=1\+1, ""x""",$/m)
    expect(csv.stdout.split('\n')).toHaveLength(2346)
    expect((await world().run(['log', 'export', '--output', 'rows.xml'])).exitCode).toBe(2)
    expect(existsSync(join(world().folder, 'rows.xml'))).toBe(false)
    expect(await world().json('log', 'list', '--user', 'exported', '--all')).toMatchObject({ total: 2345, page: 1 })
  })

  test('clear prints the number of rows, asks for confirmation, and keeps the ledger balanced', async () => {
    await world().inside((toolkit) =>
      write(toolkit, [
        { user_id: 1, type: 4, created_at: 3 },
        { user_id: 1, type: 4, created_at: 4 },
      ]),
    )
    const before = '1970-01-01T00:00:05Z'
    expect(await world().run(['log', 'clear', '--before', '2999-01-01', '--yes'])).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('Expected a time in the past.'),
    })
    expect((await world().run(['log', 'clear', '--before', before])).exitCode).toBe(2)
    const done = await world().run(['log', 'clear', '--before', before, '--yes'])
    expect(done).toMatchObject({ exitCode: 0, stderr: 'Deleted 2 log rows older than 1970-01-01T00:00:05.000Z.' })
    expect(await world().json('log', 'clear', '--before', before, '--yes')).toEqual({ deleted: 0, before: 5 })
    expect(await world().json('ledger', 'verify')).toMatchObject({ equal: true })
  })
})

test('an interrupted export prints the number of rows in the file, all complete', async () => {
  const world = await openBacking('server')
  await world.inside(({ db }) =>
    db.transaction((trx) =>
      trx.raw(`INSERT INTO logs (user_id, username, type, content, created_at)
        WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 60000)
        SELECT 1, 'many', 4, 'row ' || i, 1000 FROM n`),
    ),
  )
  const file = join(world.folder, 'many.jsonl')
  const exporting = interrupted(world, ['log', 'export', '--user', 'many', '--output', 'many.jsonl'])
  await exporting.until(() => existsSync(file) && statSync(file).size > 0)
  const { stderr, exitCode } = await exporting.interrupt()
  expect(exitCode).toBe(130)
  const [, written] = /many\.jsonl has (\d+) of 60000 rows/.exec(stderr) ?? []
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n')
  expect(lines.map((line) => JSON.parse(line).username)).toHaveLength(Number(written))
  expect(lines.length).toBeLessThan(60_000)
})

test('tail -f resumes after a restart of its gateway', async () => {
  const served = await openTestGateway()
  const folder = await createFolder()
  const token = await served.toolkit.accessTokens.create(served.root)
  const env = { ...environmentIn(folder), TOLLGATE_SERVER: served.url, TOLLGATE_TOKEN: token }
  const tail = interrupted({ env, folder }, ['log', 'tail', '-f', '--json', '--user', 'tailed'])
  await write(served.toolkit, [{ user_id: 1, type: 4, username: 'tailed', content: 'before' }])
  await tail.until((text) => text.includes('before'))
  await served.gateway.close()
  await write(served.toolkit, [{ user_id: 1, type: 4, username: 'tailed', content: 'meanwhile' }])
  await tail.until((_, said) => said.includes('Waiting'))
  await serve(served, { settings: { PORT: new URL(served.url).port } })
  await tail.until((text, said) => text.includes('meanwhile') && said.includes('available again'))
  const { stdout, exitCode } = await tail.interrupt()
  expect(stdout.split('\n').map((line) => JSON.parse(line).content)).toEqual(['before', 'meanwhile'])
  expect(exitCode).toBe(0)
})

describe('log, by a common user of a server', () => {
  const world = shared(async () => {
    const opened = await openBacking('server')
    const token = await opened.inside(async (toolkit, root) => {
      const ann = await toolkit.accounts.create(root, { username: 'ann', password: 'correct horse', quota: 10_000 })
      await relayed(toolkit, ann)
      await write(toolkit, [
        { user_id: root.id, type: 4, content: 'not for ann', created_at: 5 },
        // Ids as she sees them are not enough to tell these apart.
        { id: 4000, user_id: ann.id, type: 4, content: 'one', created_at: 5 },
        { id: 4000 + 1024, user_id: ann.id, type: 4, content: 'two', created_at: 6 },
      ])
      return toolkit.accessTokens.create(ann)
    })
    return { ...opened, env: { ...opened.env, TOLLGATE_TOKEN: token } }
  })
  const run = (...words: string[]) => world().run(words, { env: world().env })

  test("shows the user's own rows only", async () => {
    for (const words of [['list', '--all', '--json'], ['export'], ['tail', '--json', '-n', '100']]) {
      const { stdout } = await run('log', ...words, '--type', 'system')
      expect(stdout).toContain('"two"')
      expect(stdout).toContain('"one"')
      expect(stdout).not.toContain('not for ann')
    }
    expect(JSON.parse((await run('log', 'stat', '--json')).stdout)).toMatchObject({ quota: 220 })
  })

  test.each([
    ['clear', '--before', '1h', '--yes'],
    ['get', '1'],
    ['receipt', '2'],
  ])('%s is rejected', async (...words) => {
    expect(await run('log', ...words)).toMatchObject({ exitCode: 4, stdout: '' })
  })

  test('ledger verify and job list are rejected', async () => {
    for (const words of [
      ['ledger', 'verify'],
      ['job', 'list'],
    ]) {
      expect((await run(...words)).exitCode).toBe(4)
    }
  })
})

import { randomBytes } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { beforeEach, describe, expect, test } from 'vitest'
import { openDatabase } from '../../../core/db/open.ts'
import { openToolkit } from '../../../core/toolkit.ts'
import { startSimulatedUpstream } from '../../../server/demo/upstream.ts'
import { whenDone } from '../../support/lifetime.ts'
import { createPostgresDatabase } from '../../support/postgres.ts'
import { skipWithoutPostgres } from '../../support/toolkit.ts'
import { commandsIn, createFolder, createWorld, environmentIn, SECRET, type World } from '../support.ts'

const CLIENTS = 20
const DIRECTIONS = ['from sqlite to postgres', 'from postgres to sqlite'] as const

async function openPair(direction: (typeof DIRECTIONS)[number]) {
  const postgres = await createPostgresDatabase()
  const isFromSqlite = direction === 'from sqlite to postgres'
  const world = await createWorld(isFromSqlite ? {} : { DATABASE_URL: postgres })
  const target = isFromSqlite ? postgres : `sqlite:${join(world.folder, 'new', 'tollgate.db')}`
  return { world, from: world.env.DATABASE_URL, target }
}

/** Clients that ask one thing after the other, and remember what they got in full. */
function startClients(url: string, key: string) {
  const received = new Set<string>()
  const state = { isOver: false, failed: 0 }
  const client = async () => {
    while (!state.isOver) {
      try {
        const response = await fetch(`${url}/v1/chat/completions`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
          body: JSON.stringify({ model: 'sim-chat', messages: [{ role: 'user', content: 'hi' }], max_tokens: 5 }),
        })
        const body = (await response.json()) as { usage?: unknown }
        if (response.status === 200 && body.usage) received.add(response.headers.get('x-oneapi-request-id') ?? '')
        else state.failed++
      } catch {
        state.failed++
        await sleep(50)
      }
    }
  }
  const running = Promise.all(Array.from({ length: CLIENTS }, client))
  return {
    received,
    state,
    async stop() {
      state.isOver = true
      await running
    },
  }
}

async function seed(world: World): Promise<string> {
  const upstream = await startSimulatedUpstream()
  whenDone(() => upstream.close())
  return world.inside(async (toolkit, root) => {
    await toolkit.options.set(root, 'ModelRatio', JSON.stringify({ 'sim-chat': 1 }))
    await toolkit.channels.create(root, {
      name: 'sim',
      type: 1,
      key: 'sk-upstream',
      models: 'sim-chat',
      base_url: upstream.url,
    })
    const token = await toolkit.tokens.create(root, { name: 'load', unlimited_quota: true })
    // Some weight, so that rows are copied while others are written.
    const rows = Array.from({ length: 40 }, () => ({
      user_id: root.id,
      type: 4,
      content: randomBytes(200).toString('hex'),
      created_at: 1_700_000_000,
    }))
    for (let batch = 0; batch < 100; batch++) await toolkit.db.transaction((trx) => trx('logs').insert(rows))
    return `sk-${token.key}`
  })
}

function serve(world: World, databaseUrl: string) {
  const gateway = world.start(['serve'], { env: { ...world.env, DATABASE_URL: databaseUrl, LOG_LEVEL: 'silent' } })
  whenDone(() => gateway.kill('SIGKILL'))
  return gateway
}

async function untilServed({ url }: World): Promise<void> {
  await expect
    .poll(
      () =>
        fetch(`${url}/readyz`).then(
          ({ status }) => status,
          () => 0,
        ),
      { timeout: 30_000 },
    )
    .toBe(200)
}

describe.each(DIRECTIONS)('%s', (direction) => {
  beforeEach(skipWithoutPostgres)

  test('with 20 clients relaying: the old gateway stops, the new one continues, and each reply has one charge', async () => {
    const { world, from, target } = await openPair(direction)
    const key = await seed(world)
    const gateway = serve(world, from)
    await untilServed(world)
    const clients = startClients(world.url, key)
    await expect.poll(() => clients.received.size).toBeGreaterThan(50)

    const copying = world.start(['db', 'copy', from, target])
    let output = ''
    copying.stderr?.on('data', (chunk: Buffer) => {
      output += chunk
    })
    await expect.poll(() => output, { timeout: 60_000 }).toContain('Stop the gateway now')
    const before = clients.received.size
    gateway.kill('SIGTERM')
    await gateway
    const { exitCode, stderr } = await copying
    expect({ exitCode, stderr: exitCode === 0 ? '' : stderr }).toEqual({ exitCode: 0, stderr: '' })
    expect(stderr).toContain('tables, all equal')

    const next = serve(world, target)
    await untilServed(world)
    await expect.poll(() => clients.received.size).toBeGreaterThan(before + 50)
    await clients.stop()
    next.kill('SIGTERM')
    await next

    const toolkit = await openToolkit({ databaseUrl: target, secret: SECRET, dataFolder: join(world.folder, 'data') })
    whenDone(() => toolkit.close())
    const charged: string[] = await toolkit.db
      .reader('logs')
      .where({ type: 2 })
      .whereNotNull('request_id')
      .pluck('request_id')
    const isCharged = new Set(charged)
    expect([...clients.received].filter((id) => !isCharged.has(id))).toEqual([])
    expect(isCharged.size).toBe(charged.length)
    // A reply can have been charged, and its connection have ended before it was read.
    expect(charged.length - clients.received.size).toBeLessThanOrEqual(clients.state.failed)
    expect(await toolkit.ledger.verify()).toMatchObject({ equal: true })
  }, 180_000)

  test('--while-running copies one consistent snapshot, and leaves nothing in the old database', async () => {
    const { world, from, target } = await openPair(direction)
    const key = await seed(world)
    const gateway = serve(world, from)
    await untilServed(world)
    const clients = startClients(world.url, key)
    await expect.poll(() => clients.received.size).toBeGreaterThan(20)

    const { exitCode, stdout, stderr } = await world.start(['db', 'copy', from, target, '--while-running', '--json'])
    expect({ exitCode, stderr: exitCode === 0 ? '' : stderr }).toEqual({ exitCode: 0, stderr: '' })
    const result = JSON.parse(String(stdout)) as {
      tables: { table: string; rows: number; equal: boolean }[]
      stoppedMs: number
    }
    expect(result.tables.filter(({ equal }) => !equal)).toEqual([])
    console.log(`${direction}: stopped for ${result.stoppedMs} ms`)

    const during = clients.received.size
    await expect.poll(() => clients.received.size).toBeGreaterThan(during + 20)
    await clients.stop()
    gateway.kill('SIGTERM')
    await gateway
    for (const databaseUrl of [from, target]) {
      const toolkit = await openToolkit({ databaseUrl, secret: SECRET, dataFolder: join(world.folder, 'data') })
      whenDone(() => toolkit.close())
      const { equal, differences } = await toolkit.ledger.verify()
      // Processes that held quota at that moment are given up by the next gateway.
      if (databaseUrl === from) expect({ equal, differences }).toEqual({ equal: true, differences: [] })
      expect(await toolkit.db.reader.schema.hasTable('copy_changes')).toBe(false)
    }
    const db = await openDatabase(from)
    whenDone(() => db.close())
    const triggers =
      db.kind === 'sqlite'
        ? await db.reader('sqlite_master').where({ type: 'trigger' }).where('name', 'like', 'copy%').pluck('name')
        : await db.reader('pg_trigger').where('tgname', 'like', 'copy%').pluck('tgname')
    expect(triggers).toEqual([])
  }, 120_000)

  test('a copy there and back has the same rows, sums and digests', async () => {
    const { world, from, target } = await openPair(direction)
    await seed(world)
    const there = await world.json('db', 'copy', from, target)
    expect(there.tables.find(({ table }: { table: string }) => table === 'logs').rows).toBeGreaterThan(3000)
    const third =
      direction === 'from sqlite to postgres'
        ? `sqlite:${join(world.folder, 'third', 't.db')}`
        : await createPostgresDatabase()
    const back = await world.json('db', 'copy', target, third)
    expect(back.tables).toEqual(there.tables)
    expect(await world.run(['ledger', 'verify', '--database', third])).toMatchObject({ exitCode: 0 })
  }, 120_000)
})

test('an invalid copy is rejected with the next step, and the old database is unchanged', async () => {
  const { run, folder, env, databaseFile } = await createWorld()
  const from = env.DATABASE_URL
  await run(['token', 'create', 'app'])
  const before = await readFile(databaseFile)
  const refused = async (words: readonly string[], more: Record<string, string> = {}) => {
    const { exitCode, stderr } = await run(['db', 'copy', ...words], { env: { ...env, ...more } })
    return `${exitCode} ${stderr}`
  }
  expect(await refused([from, from])).toMatch(/^2 .*the same database/)
  expect(await refused([`sqlite:${join(folder, 'none.db')}`, 'sqlite:x.db'])).toMatch(/^3 .*no database/)
  expect(await refused([from, 'mysql://x'])).toMatch(/^2 /)
  expect(await refused([from, 'x.db', '--server', 'http://127.0.0.1:9'], { TOLLGATE_TOKEN: 'a token' })).toMatch(
    /^2 .*database itself/,
  )
  const other = await createWorld()
  expect(await refused([from, other.env.DATABASE_URL])).toMatch(/^1 .*empty database/)
  await writeFile(join(folder, 'text.db'), 'no database at all, but a text that is long enough to be looked at')
  expect(await refused([from, `sqlite:${join(folder, 'text.db')}`])).toMatch(/^1 /)
  expect(await readFile(databaseFile)).toEqual(before)
})

test('a master key file is copied too', async () => {
  const folder = await createFolder()
  const env = { ...environmentIn(folder), DATABASE_URL: `sqlite:${join(folder, 'data', 'tollgate.db')}` }
  const world = { folder, env, ...commandsIn({ env, folder }) }
  await world.run(['init', '--root-password', 'a password of root', '--skip-channel', '--skip-token'])
  const target = `sqlite:${join(world.folder, 'new', 'tollgate.db')}`
  expect(await world.run(['db', 'copy', world.env.DATABASE_URL, target])).toMatchObject({ exitCode: 0 })
  expect(await readFile(join(world.folder, 'new', 'tollgate.secret'), 'utf8')).toBe(
    await readFile(join(world.folder, 'data', 'tollgate.secret'), 'utf8'),
  )
  expect(await world.run(['user', 'list', '--database', target])).toMatchObject({ exitCode: 0 })
})

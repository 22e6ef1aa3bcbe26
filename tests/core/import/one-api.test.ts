import { join } from 'node:path'
import pg from 'pg'
import sqlite3 from 'sqlite3'
import { expect, test } from 'vitest'
import { GATEWAY } from '../../../core/actor.ts'
import { openSource } from '../../../core/import/sources/open.ts'
import { whenDone } from '../../support/lifetime.ts'
import { createMysqlDatabase } from '../../support/mysql.ts'
import { PEER_PASSWORD, peerKey } from '../../support/peers/new-api.js'
import { oneApiStatements } from '../../support/peers/one-api.js'
import { createPostgresDatabase } from '../../support/postgres.ts'
import { onBoth, skipWithoutPostgres, type TestToolkit, testFolder } from '../../support/toolkit.ts'

const ACTOR = { ...GATEWAY, origin: { address: 'terminal', osUser: 'operator' } }

async function sqliteFile(): Promise<string> {
  const file = join(await testFolder(), 'one-api.db')
  const db = new sqlite3.Database(file)
  await new Promise<void>((done, fail) =>
    db.exec(oneApiStatements('sqlite').join(';\n'), (error) => (error ? fail(error) : done())),
  )
  await new Promise((done) => db.close(done))
  return file
}

async function importFrom({ toolkit }: TestToolkit, address: string) {
  const source = await openSource(address)
  whenDone(() => source.close())
  return toolkit.imports.run(ACTOR, { product: 'one-api', source, logs: 'all' })
}

async function expectWhole(fixture: TestToolkit, report: Awaited<ReturnType<typeof importFrom>>): Promise<void> {
  const { toolkit } = fixture
  expect(report.skipped).toEqual([])
  expect(
    report.tables.flatMap(({ sums }) => Object.values(sums)).filter(({ source, target }) => source !== target),
  ).toEqual([])
  expect(await toolkit.ledger.verify()).toMatchObject({ equal: true })
  const { user } = await toolkit.accounts.login({ username: 'user5', password: PEER_PASSWORD })
  expect(user.quota).toBe(5000)
  expect(await toolkit.accessTokens.find('access-token-of-user-00000000005')).toMatchObject({ username: 'user5' })
  expect((await toolkit.callers.findToken(peerKey(2)))?.models).toEqual(new Set(['gpt-4o', 'gpt-4o-mini']))
}

onBoth('an import of one-api', (open) => {
  test('from SQLite maps its own columns, channel types and log rows', async () => {
    const fixture = await open()
    const report = await importFrom(fixture, await sqliteFile())
    await expectWhole(fixture, report)
    const { reader } = fixture.toolkit.db

    const token = await reader('tokens')
      .where({ name: 'key 2' })
      .first('allow_ips', 'model_limits_enabled', 'model_limits')
    expect(token).toMatchObject({ allow_ips: '10.0.0.0/8\n192.168.1.0/24', model_limits: 'gpt-4o,gpt-4o-mini' })
    const gone = await reader('users').where({ username: 'deleted_20' }).first('deleted_at')
    expect(gone.deleted_at).not.toBeNull()
    const channels = await fixture.toolkit.channels.list(fixture.root, { pageSize: 100 })
    const byName = Object.fromEntries(
      channels.items.map(({ name, type, base_url, other, status, setting }) => [
        name,
        { type, base_url, other, status, setting },
      ]),
    )
    expect(byName).toMatchObject({
      'channel 1': { type: 1, setting: '{"system_prompt":"Be brief"}' },
      'channel 2': { type: 8, base_url: 'https://oa.api2d.net/v1/chat/completions' },
      'channel 3': { type: 1, base_url: 'https://api.groq.com/openai/v1' },
      'channel 4': { type: 33 },
      'channel 5': { type: 39, other: 'account' },
      'channel 6': { status: 2 },
      'channel 7': { type: 41, other: 'europe-west1' },
      'channel 8': { type: 48 },
      'channel 9': { type: 1, base_url: 'https://llm.example' },
      'channel 10': { status: 2 },
    })
    const live = (await fixture.toolkit.channelDirectory()).find(
      channels.items.find(({ name }) => name === 'channel 4')?.id ?? 0,
    )
    expect(live?.key).toBe('AK|SK|us-east-1')
    const [test, charge] = await reader('logs')
      .whereIn('quota', [1, 2])
      .where({ type: 2 })
      .orderBy('quota')
      .select('type', 'use_time', 'other', 'request_id', 'token_id')
    expect(test).toMatchObject({ type: 2, request_id: null, token_id: 0 })
    expect(JSON.parse(test.other)).toEqual({ imported_request_id: 'one-api:r1', elapsed_ms: 1500, channel_test: true })
    expect(charge.use_time).toBe(2)
    expect(report.changed.map(({ what }) => what).join()).toContain('Lark')
    expect(report.prices).toContainEqual({
      model: 'gpt-4o',
      source: 'ratio 2.5, completion 4',
      target: 'ratio 1.25, completion 4',
    })
    expect(report.options).toContainEqual({
      key: 'LarkClientId',
      outcome: 'without effect',
      what: 'sign-in with Lark has no counterpart',
    })
  })

  test('from MySQL or MariaDB, also with the address format of its settings', async ({ skip }) => {
    const database = await createMysqlDatabase(oneApiStatements('mysql'))
    if ('reason' in database) {
      console.warn(`Skipped: ${database.reason}`)
      return skip(database.reason)
    }
    const fixture = await open()
    await expectWhole(fixture, await importFrom(fixture, database.url))
    const { username, password, host, pathname } = new URL(database.url)
    const again = await importFrom(fixture, `${username}:${password}@tcp(${host})${pathname}?charset=utf8mb4`)
    expect(again).toMatchObject({ again: true })
    expect(again.tables.filter(({ table }) => table !== 'options').map(({ imported }) => imported)).toEqual(
      again.tables.slice(1).map(() => 0),
    )
  })

  test('from PostgreSQL, with a read-only session', async (context) => {
    await skipWithoutPostgres(context)
    const url = await createPostgresDatabase()
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    for (const statement of oneApiStatements('postgres')) await client.query(statement)
    await client.end()
    const fixture = await open()

    await expectWhole(fixture, await importFrom(fixture, url))

    const source = await openSource(url)
    whenDone(() => source.close())
    await expect(source.query('DELETE FROM users')).rejects.toThrow(/read-only/)
  })
})

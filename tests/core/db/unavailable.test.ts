import knex from 'knex'
import { describe, expect, onTestFinished, test } from 'vitest'
import { openPostgres } from '../../../core/db/postgres.ts'
import {
  asGatewayError,
  databaseUnavailable,
  isDatabaseUnavailable,
  withinDatabaseWait,
} from '../../../core/db/unavailable.ts'
import { GatewayError } from '../../../core/errors.ts'
import { startTcpProxy } from '../../support/tcp-proxy.ts'
import { openTestToolkit, skipWithoutPostgres } from '../../support/toolkit.ts'

const failureOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => 'no error',
    (error: unknown) => error,
  )

describe('errors that mean PostgreSQL is unavailable', () => {
  test('refused, closed and terminated connections', async (context) => {
    await skipWithoutPostgres(context)
    const { toolkit, config, another } = await openTestToolkit({ database: 'postgres' })
    const proxy = await startTcpProxy(config.databaseUrl)
    const through = await another({}, { databaseUrl: proxy.url })
    const { reader } = through.db

    const terminated = failureOf(reader.raw('SELECT pg_sleep(20)'))
    await expect
      .poll(async () => {
        const { rows } = await toolkit.db.reader.raw(
          "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query = 'SELECT pg_sleep(20)' AND datname = current_database()",
        )
        return rows.length
      })
      .toBe(1)
    expect(isDatabaseUnavailable(await terminated)).toBe(true)

    const cut = failureOf(reader.raw('SELECT pg_sleep(20)'))
    await proxy.refuse()
    expect(isDatabaseUnavailable(await cut)).toBe(true)
    expect(isDatabaseUnavailable(await failureOf(reader.raw('SELECT 1')))).toBe(true)
    expect(isDatabaseUnavailable(await failureOf(through.db.transaction((trx) => trx.raw('SELECT 1'))))).toBe(true)
    await proxy.restore()
  })

  test('a standby or a read-only disk, but not a wrong value', async (context) => {
    await skipWithoutPostgres(context)
    const { config } = await openTestToolkit({ database: 'postgres' })
    const db = await openPostgres(config.databaseUrl)
    onTestFinished(() => db.close())
    const readOnly = db.transaction(async (trx) => {
      await trx.raw('SET TRANSACTION READ ONLY')
      await trx('abilities').delete()
    })
    expect(isDatabaseUnavailable(await failureOf(readOnly))).toBe(true)
    for (const sql of ['SELECT 1 / 0', 'SELECT nothing', 'SELEC 1']) {
      expect(isDatabaseUnavailable(await failureOf(db.reader.raw(sql)))).toBe(false)
    }
  })
})

describe('errors that mean SQLite is unavailable', () => {
  test('a full disk, but not a violated constraint', async () => {
    const { toolkit } = await openTestToolkit()
    const full = toolkit.db.transaction(async (trx) => {
      await trx.raw('PRAGMA max_page_count = 1')
      for (let row = 0; row < 2000; row++) {
        await trx('options').insert({ key: `full${row}`, value: 'x'.repeat(1000) })
      }
    })
    expect(isDatabaseUnavailable(await failureOf(full))).toBe(true)
    const twice = toolkit.db.transaction((trx) => trx('options').insert([{ key: 'a' }, { key: 'a' }]))
    expect(isDatabaseUnavailable(await failureOf(twice))).toBe(false)
  })

  test('a file that cannot be opened', async () => {
    const db = knex({ client: 'sqlite3', connection: { filename: '/proc/none/tollgate.db' }, useNullAsDefault: true })
    onTestFinished(() => db.destroy())
    expect(isDatabaseUnavailable(await failureOf(db.raw('SELECT 1')))).toBe(true)
  })
})

test('a network error of another connection is not a database error', () => {
  const refused = Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:443'), { code: 'ECONNREFUSED' })
  expect(isDatabaseUnavailable(refused)).toBe(false)
  expect(asGatewayError(refused)).toBeUndefined()
})

test('an error keeps its code, and the cause of an unavailable database', () => {
  const full = Object.assign(new Error('SQLITE_FULL'), { code: 'SQLITE_FULL' })
  expect(asGatewayError(new GatewayError('STOPPING', {}, { cause: full }))).toMatchObject({ code: 'STOPPING' })
  expect(asGatewayError(full)).toMatchObject({ code: 'DATABASE_UNAVAILABLE', kind: 'unavailable', cause: full })
  expect(isDatabaseUnavailable(databaseUnavailable())).toBe(true)
})

describe('a bounded wait', () => {
  test('returns results in time, including errors', async () => {
    expect(await withinDatabaseWait(Promise.resolve(7))).toBe(7)
    await expect(withinDatabaseWait(Promise.reject(new Error('defect')))).rejects.toThrow('defect')
  })

  test('rejects after the limit, and passes on a later result', async () => {
    let answer: (value: number) => void = () => {}
    const late: number[] = []
    const work = new Promise<number>((resolve) => {
      answer = resolve
    })
    await expect(withinDatabaseWait(work, { late: (value) => late.push(value), waitMs: 10 })).rejects.toMatchObject({
      code: 'DATABASE_UNAVAILABLE',
    })
    answer(7)
    await work
    expect(late).toEqual([7])
  })
})

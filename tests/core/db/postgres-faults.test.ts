import { setTimeout as sleep } from 'node:timers/promises'
import { beforeEach, expect, test } from 'vitest'
import type { Database } from '../../../core/db/database.ts'
import { openDatabase } from '../../../core/db/open.ts'
import { findSequencesBehind, repairSequences } from '../../../core/db/sequences.ts'
import { startFaultyTcp } from '../../support/faulty-tcp.ts'
import { whenDone } from '../../support/lifetime.ts'
import { createPostgresDatabase } from '../../support/postgres.ts'
import { skipWithoutPostgres } from '../../support/toolkit.ts'

beforeEach(skipWithoutPostgres)

async function start() {
  const direct = await createPostgresDatabase()
  const proxy = await startFaultyTcp(direct)
  const db = await openDatabase(proxy.url)
  whenDone(() => db.close())
  await db.transaction((trx) =>
    trx.schema.createTable('notes', (table) => {
      table.increments('id')
      table.string('text').notNullable()
    }),
  )
  return { db, proxy, texts: () => db.reader('notes').orderBy('id').pluck('text') }
}

const write = (db: Database, text: string): Promise<string> =>
  db.transaction(async (trx) => {
    await trx('notes').insert({ text })
    return text
  })

const running = async (db: Database, text: string): Promise<number> => {
  const { rows } = await db.reader.raw(
    `SELECT count(*) AS count FROM pg_stat_activity WHERE query LIKE ? AND state = 'active' AND pid <> pg_backend_pid()`,
    [`%${text}`],
  )
  return Number(rows[0].count)
}

test('a transaction whose COMMIT reply is lost succeeds, once, with the value of its work', async () => {
  const { db, proxy, texts } = await start()
  const lost = proxy.loseCommit()

  expect(await write(db, 'kept')).toBe('kept')

  await lost
  expect(await texts()).toEqual(['kept'])
  expect(await write(db, 'next')).toBe('next')
})

test('a transaction without timeouts may be idle while its source is read', async () => {
  const { db, texts } = await start()

  await db.transaction(async (trx) => {
    await trx.raw(`SET LOCAL idle_in_transaction_session_timeout = '200ms'`)
    await db.withoutTimeouts(trx)
    await trx('notes').insert({ text: 'before' })
    await sleep(500)
    await trx('notes').insert({ text: 'after' })
  })

  expect(await texts()).toEqual(['before', 'after'])
})

test('a transaction whose COMMIT never arrives fails, and leaves no rows', async () => {
  const { db, proxy, texts } = await start()
  const lost = proxy.loseCommit({ before: true })

  await expect(write(db, 'gone')).rejects.toMatchObject({ message: expect.stringMatching(/terminated|reset/i) })

  await lost
  expect(await texts()).toEqual([])
})

test('a transaction that is cut before its COMMIT fails, and the next one succeeds', async () => {
  const { db, proxy, texts } = await start()
  const writing = db.transaction(async (trx) => {
    await trx('notes').insert({ text: 'gone' })
    proxy.cutAll()
    await trx('notes').insert({ text: 'gone too' })
  })
  await expect(writing).rejects.toThrow()
  expect(await write(db, 'kept')).toBe('kept')
  expect(await texts()).toEqual(['kept'])
})

test('an unknown outcome is a separate error, and a returning database is used again', async () => {
  const { db, proxy, texts } = await start()
  await write(db, 'before')
  const lost = proxy.loseCommit().then(() => {
    proxy.mode = 'refuse'
  })
  await expect(write(db, 'unknown')).rejects.toMatchObject({ name: 'OutcomeUnknownError' })
  await lost
  proxy.mode = 'pass'

  expect(await write(db, 'after')).toBe('after')
  expect(await texts()).toEqual(['before', 'unknown', 'after'])
})

test('a connection without packets fails within ten seconds, and is replaced', async () => {
  const { db, proxy, texts } = await start()
  await write(db, 'before')
  proxy.mode = 'black-hole'
  const startedAt = Date.now()
  await expect(write(db, 'hangs')).rejects.toThrow()
  expect(Date.now() - startedAt).toBeLessThan(17_000)
  proxy.cutAll()
  proxy.mode = 'pass'

  expect(await write(db, 'after')).toBe('after')
  expect(await texts()).toEqual(['before', 'after'])
})

test('a read without packets fails within ten seconds', async () => {
  const { db, proxy, texts } = await start()
  await write(db, 'kept')
  await texts()
  proxy.mode = 'black-hole'
  const since = performance.now()

  await expect(texts()).rejects.toThrow()

  expect(performance.now() - since).toBeLessThan(12_000)
  proxy.mode = 'pass'
  expect(await texts()).toEqual(['kept'])
})

test('a read whose reply was lost fails; one that still runs on the server does not', async () => {
  const { db, proxy } = await start()
  const lost = db.reader.raw('SELECT pg_sleep(1)')
  const failing = expect(lost).rejects.toThrow()
  await expect.poll(() => running(db, 'pg_sleep(1)')).toBe(1)
  proxy.silenceOpen()
  const fresh = await openDatabase(proxy.url)
  whenDone(() => fresh.close())
  const working = fresh.reader.raw('SELECT pg_sleep(8)')

  await failing
  expect(await working).toMatchObject({ rowCount: 1 })
})

test.each(['was cut', 'died without a word'])('notifications resume after their connection %s', async (end) => {
  const { db, proxy } = await start()
  let calls = 0
  const stop = await db.watch(() => calls++)
  whenDone(stop)
  if (end === 'was cut') proxy.cutAll()
  else proxy.silenceOpen()
  // Two a second can only be notifications: the poll calls once a second.
  await expect
    .poll(
      async () => {
        const before = calls
        await db.transaction((trx) => trx.raw('NOTIFY tollgate_changes'))
        await new Promise((resolve) => setTimeout(resolve, 100))
        return calls - before
      },
      { timeout: 15_000, interval: 300 },
    )
    .toBeGreaterThan(0)
})

test('a sequence behind its table is found, repaired, and repaired by the first insert that fails', async () => {
  const { db, texts } = await start()
  for (const text of ['one', 'two', 'three']) await write(db, text)
  const setBack = () => db.transaction((trx) => trx.raw(`SELECT setval('notes_id_seq', 1, false)`))
  await setBack()

  expect(await findSequencesBehind(db)).toEqual([
    { table: 'notes', column: 'id', sequence: 'notes_id_seq', next: 1, largest: 3 },
  ])
  expect(await repairSequences(db)).toHaveLength(1)
  expect(await findSequencesBehind(db)).toEqual([])
  await setBack()

  expect(await write(db, 'four')).toBe('four')
  expect(await texts()).toEqual(['one', 'two', 'three', 'four'])
  expect(await findSequencesBehind(db)).toEqual([])
})

test('a violated primary key without a sequence error stays an error', async () => {
  const { db } = await start()
  await write(db, 'one')
  await expect(db.transaction((trx) => trx('notes').insert({ id: 1, text: 'again' }))).rejects.toMatchObject({
    code: '23505',
  })
})

test('opening succeeds although the first connection is terminated', async () => {
  const proxy = await startFaultyTcp(await createPostgresDatabase())
  proxy.cutAfter(1)

  const db = await openDatabase(proxy.url)
  whenDone(() => db.close())

  expect((await db.reader.raw('SELECT 1 AS one')).rows).toEqual([{ one: 1 }])
})

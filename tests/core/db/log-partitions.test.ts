import { expect, test } from 'vitest'
import type { Database } from '../../../core/db/database.ts'
import { createPartitions, keepPartitions } from '../../../core/db/log-partitions.ts'
import { pendingMigrations } from '../../../core/db/migrate.ts'
import { MIGRATIONS } from '../../../core/db/migrations/list.ts'
import { openDatabase } from '../../../core/db/open.ts'
import { openToolkit } from '../../../core/toolkit.ts'
import { breakTransactions } from '../../support/broken-transactions.ts'
import { createPostgresDatabase } from '../../support/postgres.ts'
import { bill, openTestToolkit, skipWithoutPostgres, testFolder } from '../../support/toolkit.ts'

/** Before the months that a new database has. */
const FEBRUARY = Date.UTC(2021, 1) / 1000
const MARCH = Date.UTC(2021, 2) / 1000
const APRIL = Date.UTC(2021, 3) / 1000
const PARTITIONING = MIGRATIONS.findIndex(({ name }) => name === '0110-log-partitions')

async function partitionsOf({ reader }: Pick<Database, 'reader'>): Promise<string[]> {
  const { rows } = await reader.raw(
    `SELECT inhrelid::regclass::text AS name FROM pg_inherits WHERE inhparent = 'logs'::regclass ORDER BY name`,
  )
  return rows.map(({ name }: { name: string }) => name)
}

const partitionOf = async ({ reader }: Pick<Database, 'reader'>, id: number): Promise<string> =>
  (await reader.raw('SELECT tableoid::regclass::text AS name FROM logs WHERE id = ?', [id])).rows[0]?.name

const nameOf = (months: number): string => {
  const now = new Date()
  const date = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + months))
  return `logs_${date.toISOString().slice(0, 7).replace('-', '_')}`
}

test('a new database has partitions for the current month and three later ones, and one for all other rows', async (context) => {
  await skipWithoutPostgres(context)
  const { toolkit } = await openTestToolkit({ database: 'postgres' })

  expect(await partitionsOf(toolkit.db)).toEqual([0, 1, 2, 3].map(nameOf).concat('logs_rest'))
  expect(await keepPartitions(toolkit.db)).toBe(0)
})

test('a row goes to the partition of its month, or to the default one', async (context) => {
  await skipWithoutPostgres(context)
  let now = FEBRUARY
  const fixture = await openTestToolkit({ database: 'postgres', now: () => now })
  const { db } = fixture.toolkit
  const person = await fixture.user({ quota: 1000 })
  expect(await createPartitions(db, { from: MARCH, to: MARCH + 5 })).toBe(1)

  const ids: number[] = []
  for (now of [MARCH - 1, MARCH, Date.now() / 1000]) {
    now = Math.floor(now)
    await fixture.charge(person, { quota: 1 })
    ids.push((await db.reader('logs').max({ id: 'id' }).first())?.id)
  }

  expect(await Promise.all(ids.map((id) => partitionOf(db, id)))).toEqual(['logs_rest', 'logs_2021_03', nameOf(0)])
  expect(ids).toEqual([...new Set(ids)].sort((a, b) => a - b))
  expect(await fixture.toolkit.ledger.verify()).toMatchObject({ equal: true })
})

test('processes that create the same months at the same time create each once', async (context) => {
  await skipWithoutPostgres(context)
  const { toolkit } = await openTestToolkit({ database: 'postgres' })
  const year = { from: Date.UTC(2020, 0) / 1000, to: Date.UTC(2020, 11, 31) / 1000 }

  const created = await Promise.all([1, 2, 3, 4].map(() => createPartitions(toolkit.db, year)))

  expect(created.reduce((sum, count) => sum + count)).toBe(12)
  expect(await partitionsOf(toolkit.db)).toHaveLength(12 + 5)
})

test('a month whose rows are in the default partition stays there; impossible times create at most ten years', async (context) => {
  await skipWithoutPostgres(context)
  const fixture = await openTestToolkit({ database: 'postgres', now: () => FEBRUARY })
  const { db } = fixture.toolkit
  await fixture.charge(await fixture.user({ quota: 10 }), { quota: 1 })

  expect(await createPartitions(db, { from: FEBRUARY, to: MARCH })).toBe(1)
  expect(await partitionsOf(db)).not.toContain('logs_2021_02')
  const created = await createPartitions(db, { from: 0, to: Date.now() })
  expect(created).toBeGreaterThan(100)
  expect(created).toBeLessThan(120)
})

test('a past month is dropped when it has no rows', async (context) => {
  await skipWithoutPostgres(context)
  let now = FEBRUARY // The rows of the new installation.
  const fixture = await openTestToolkit({ database: 'postgres', now: () => now })
  const { toolkit, root } = fixture
  await createPartitions(toolkit.db, { from: MARCH, to: APRIL })
  const person = await fixture.user({ quota: 10 })
  now = MARCH
  await fixture.charge(person, { quota: 1 })
  now = APRIL
  await fixture.charge(person, { quota: 2 })
  now = Math.floor(Date.now() / 1000)

  expect(await toolkit.retention.keepLogPartitions()).toBe(0)
  await toolkit.logs.clear(root, APRIL)
  expect(await toolkit.retention.keepLogPartitions()).toBe(1)

  const names = await partitionsOf(toolkit.db)
  expect(names).not.toContain('logs_2021_03')
  expect(names).toContain('logs_2021_04')
  expect(await toolkit.ledger.verify()).toMatchObject({ equal: true })
  expect(await fixture.balance(person)).toBe(7)
})

test('a charge whose attempts are in two months is written once', async (context) => {
  await skipWithoutPostgres(context)
  let now = MARCH - 1
  const fixture = await openTestToolkit({ database: 'postgres', now: () => now })
  const { toolkit } = fixture
  await createPartitions(toolkit.db, { from: FEBRUARY, to: MARCH })
  const person = await fixture.user({ quota: 1000 })
  const broken = breakTransactions(toolkit)
  const hold = await toolkit.ledger.hold({ userId: person.id, budgetTokenId: 0, quota: 300 })
  broken.mode = 'after'
  const settled = toolkit.ledger.settle(hold, bill(person, { quota: 200 }))
  await new Promise((resolve) => setTimeout(resolve, 50))
  now = MARCH
  await new Promise((resolve) => setTimeout(resolve, 300))
  broken.mode = 'works'

  expect(await settled).toBe('settled')
  await expect.poll(() => toolkit.ledger.load().waitingCharges).toBe(0)
  expect(await toolkit.db.reader('logs').where({ type: 2 }).select('created_at', 'quota')).toEqual([
    { created_at: MARCH - 1, quota: 200 },
  ])
  expect(await fixture.balance(person)).toBe(800)
  expect(await toolkit.ledger.verify()).toMatchObject({ equal: true })
})

test('the rows of an earlier version stay in one partition that ends with their last month', async (context) => {
  await skipWithoutPostgres(context)
  const databaseUrl = await createPostgresDatabase()
  const db = await openDatabase(databaseUrl)
  const at = Math.floor(Date.now() / 1000)
  await db.transaction(async (trx) => {
    await trx.schema.createTable('migrations', (table) => {
      table.increments('id')
      table.string('name').notNullable().unique()
      table.bigInteger('applied_at').notNullable()
    })
    for (const { name, up } of MIGRATIONS.slice(0, PARTITIONING)) {
      await up(trx, { sign: (text) => text })
      await trx('migrations').insert({ name, applied_at: 1 })
    }
    for (const created_at of [FEBRUARY, at]) await trx('logs').insert({ type: 4, content: 'before', created_at })
  })
  expect(await pendingMigrations(db.reader)).toEqual(MIGRATIONS.slice(PARTITIONING).map(({ name }) => name))
  await db.close()

  const toolkit = await openToolkit({ databaseUrl, dataFolder: await testFolder(), secret: 'a secret of this test' })

  expect(await partitionsOf(toolkit.db)).toEqual([1, 2, 3].map(nameOf).concat('logs_past', 'logs_rest'))
  const rows = await toolkit.db.reader('logs').orderBy('id').select('id', 'created_at')
  expect(rows).toEqual([
    { id: 1, created_at: FEBRUARY },
    { id: 2, created_at: at },
  ])
  const [next] = await toolkit.db.transaction((trx) => trx('logs').insert({ created_at: at }).returning('id'))
  expect(next?.id).toBe(3)
  expect(await partitionOf(toolkit.db, 3)).toBe('logs_past')
  await toolkit.close()
})

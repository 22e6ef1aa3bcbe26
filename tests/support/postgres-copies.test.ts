import pg from 'pg'
import { describe, expect, test } from 'vitest'
import { createLastingDatabase, findPostgres } from './postgres.ts'
import { copyPostgresDatabase } from './postgres-copies.ts'

const found = await findPostgres()

/** Creates a database to copy, with a row and its sequence. */
async function createOriginal(): Promise<string> {
  const url = await createLastingDatabase()
  await query(
    url,
    `CREATE TABLE things (id serial PRIMARY KEY, name text DEFAULT 'x');
    CREATE FUNCTION answer() RETURNS int LANGUAGE sql AS 'SELECT 42';
    INSERT INTO things (name) VALUES ('first')`,
  )
  return url
}

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => {}) // The database may be dropped while connected.
  await client.connect()
  return client
}

async function query(url: string, statement: string): Promise<pg.QueryResult> {
  const client = await connect(url)
  try {
    return await client.query(statement)
  } finally {
    await client.end()
  }
}

const LEFT = [
  { what: 'rows', leave: `DELETE FROM things; INSERT INTO things (name) VALUES ('second'), (NULL)`, isHandedOn: true },
  { what: 'a lock of its session', leave: 'SELECT pg_advisory_lock(7)', isHandedOn: true },
  { what: 'another default', leave: `ALTER TABLE things ALTER name SET DEFAULT 'y'`, isHandedOn: false },
  { what: 'another column', leave: 'ALTER TABLE things ADD size int', isHandedOn: false },
  {
    what: 'another body of a function',
    leave: `CREATE OR REPLACE FUNCTION answer() RETURNS int LANGUAGE sql AS 'SELECT 43'`,
    isHandedOn: false,
  },
  { what: 'a schema', leave: 'CREATE SCHEMA other', isHandedOn: false },
  { what: 'rights', leave: 'REVOKE INSERT ON things FROM tollgate', isHandedOn: false },
  {
    what: 'large files',
    leave: `INSERT INTO things (name) SELECT repeat('x', 1000) FROM generate_series(1, 20000)`,
    isHandedOn: false,
  },
]

describe.skipIf('reason' in found)('a copy of a database that a test leaves with', () => {
  describe.each(LEFT)('$what', ({ leave, isHandedOn }) => {
    let template = ''
    let first = ''

    test('is changed', async () => {
      template = await createOriginal()
      first = await copyPostgresDatabase(template)
      await query(first, leave)
    })

    test(`is ${isHandedOn ? '' : 'not '}the next test's copy, which is unmodified`, async () => {
      const next = await copyPostgresDatabase(template)
      expect(next === first).toBe(isHandedOn)
      expect((await query(next, 'SELECT id, name FROM things')).rows).toEqual([{ id: 1, name: 'first' }])
      const added = await query(next, 'INSERT INTO things DEFAULT VALUES RETURNING id, name, answer()')
      expect(added.rows).toEqual([{ id: 2, name: 'x', answer: 42 }])
      expect((await query(next, 'SELECT pg_try_advisory_lock(7) AS free')).rows).toEqual([{ free: true }])
    })
  })

  describe('a connection', () => {
    let template = ''
    let first = ''
    let forgotten: pg.Client

    test('is connected to', async () => {
      template = await createOriginal()
      first = await copyPostgresDatabase(template)
      forgotten = await connect(first)
    })

    test("is not the next test's", async () => {
      expect(await copyPostgresDatabase(template)).not.toBe(first)
      await expect(forgotten.query('SELECT 1')).rejects.toThrow()
    })
  })
})

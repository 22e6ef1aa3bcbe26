import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { whenDone } from './lifetime.ts'
import { createLastingDatabase, dropDatabase } from './postgres.ts'

/** What a database was when it was copied: its tables as they are made, and what stands in them. */
interface Original {
  shape: string
  /** Bytes. */
  size: number
  rows: { table: string; rows: string }[]
  sequences: { sequence: string; last_value: string; is_called: boolean }[]
}

interface Copies {
  original: Promise<Original>
  /** Addresses of copies that nobody uses, and that are as the original was. */
  free: string[]
}

const copies = new Map<string, Copies>()

/**
 * A copy of a database to which nobody is connected, until the test ends. Answers its URL. To make one takes ten times as long
 * as to put one back in order, so the next test gets it, unless its tables were changed, or somebody is connected still.
 */
export async function copyPostgresDatabase(template: string): Promise<string> {
  let known = copies.get(template)
  if (!known) {
    known = { original: connected(template, readOriginal), free: [] }
    copies.set(template, known)
  }
  const { original, free } = known
  await original // Nobody may be connected to what is copied.
  const url = free.pop() ?? (await createLastingDatabase(template))
  whenDone(async () => {
    const isRestored = await connected(url, async (client) => restore(client, await original)).catch(() => false)
    if (isRestored) free.push(url)
    else await dropDatabase(url)
  })
  return url
}

async function connected<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

async function readOriginal(client: pg.Client): Promise<Original> {
  const { rows: tables } = await client.query(
    `SELECT relname FROM pg_class WHERE ${OWN} AND relkind = 'r' ORDER BY oid`,
  )
  const rows = []
  for (const { relname: table } of tables) {
    const found = await client.query(`SELECT coalesce(json_agg(t), '[]')::text AS rows FROM "${table}" t`)
    rows.push({ table, rows: found.rows[0].rows })
  }
  const { rows: names } = await client.query(`SELECT relname FROM pg_class WHERE ${OWN} AND relkind = 'S'`)
  const sequences = []
  for (const { relname: sequence } of names) {
    const found = await client.query(`SELECT last_value, is_called FROM "${sequence}"`)
    sequences.push({ sequence, ...found.rows[0] })
  }
  return { shape: await shapeOf(client), size: await sizeOf(client), rows, sequences }
}

/** As long as a connection that was closed may take to be gone. */
const GONE_MS = 1000
/** What was deleted stays in the files, and is read past by each query: no vacuum runs here. */
const GROWTH_MAX = 16 * 1024 * 1024

/** Answers whether it is as the original was. */
async function restore(client: pg.Client, { shape, size, rows, sequences }: Original): Promise<boolean> {
  // Who stays has been forgotten by the test, and may come back or write after the next test has begun.
  if (!(await isAlone(client))) return false
  if ((await shapeOf(client)) !== shape || (await sizeOf(client)) > size + GROWTH_MAX) return false
  const emptied = rows.map(({ table }) => `DELETE FROM "${table}"`)
  const filled = rows
    .filter((table) => table.rows !== '[]')
    .map(
      ({ table, rows }) =>
        `INSERT INTO "${table}" OVERRIDING SYSTEM VALUE SELECT * FROM json_populate_recordset(NULL::"${table}", ${pg.escapeLiteral(rows)})`,
    )
  const counted = sequences.map(
    ({ sequence, last_value, is_called }) => `SELECT setval('"${sequence}"', ${last_value}, ${is_called})`,
  )
  // The audit rejects deletes, except by a replica.
  const unguarded = 'SET session_replication_role = replica'
  await client.query([unguarded, ...emptied, ...filled, ...counted].join(';\n'))
  return true
}

async function isAlone(client: pg.Client): Promise<boolean> {
  for (const until = Date.now() + GONE_MS; Date.now() < until; await sleep(10)) {
    const { rowCount } = await client.query(
      'SELECT FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()',
    )
    if (rowCount === 0) return true
  }
  return false
}

async function sizeOf(client: pg.Client): Promise<number> {
  const { rows } = await client.query('SELECT pg_database_size(current_database()) AS size')
  return Number(rows[0].size)
}

const OWN = `relnamespace = 'public'::regnamespace`

/** All that a test may change of a database beside its rows. */
async function shapeOf(client: pg.Client): Promise<string> {
  const { rows } = await client.query(`
    SELECT md5(concat(
      (SELECT string_agg(concat_ws(' ', relname, relkind, relchecks, relhastriggers, relhasrules, relrowsecurity, relacl), ',' ORDER BY relname) FROM pg_class WHERE ${OWN}),
      (SELECT string_agg(concat_ws(' ', attrelid::regclass, attname, atttypid, atttypmod, attnotnull, attisdropped, atthasdef), ',' ORDER BY attrelid, attnum)
        FROM pg_attribute JOIN pg_class ON pg_class.oid = attrelid WHERE ${OWN} AND relkind = 'r'),
      (SELECT string_agg(concat_ws(' ', tgrelid::regclass, tgname, tgenabled), ',' ORDER BY tgrelid, tgname) FROM pg_trigger),
      (SELECT string_agg(concat_ws(' ', conrelid::regclass, conname), ',' ORDER BY conrelid, conname) FROM pg_constraint WHERE connamespace = 'public'::regnamespace),
      (SELECT string_agg(concat_ws(' ', adrelid::regclass, adnum, pg_get_expr(adbin, adrelid)), ',' ORDER BY adrelid, adnum) FROM pg_attrdef),
      (SELECT string_agg(concat_ws(' ', proname, prosrc), ',' ORDER BY proname, prosrc) FROM pg_proc WHERE pronamespace = 'public'::regnamespace),
      (SELECT string_agg(nspname, ',' ORDER BY nspname) FROM pg_namespace WHERE nspname !~ '^pg_'),
      (SELECT count(*) FROM pg_db_role_setting WHERE setdatabase = (SELECT oid FROM pg_database WHERE datname = current_database()))
    )) AS shape`)
  return rows[0].shape
}

import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { whenDone } from './lifetime.ts'
import { createLastingDatabase, dropDatabase } from './postgres.ts'

/** The state of a database when it was copied: tables and rows. */
interface Original {
  shape: string
  /** Bytes. */
  size: number
  rows: { table: string; rows: string }[]
  sequences: { sequence: string; last_value: string; is_called: boolean }[]
}

interface Copies {
  original: Promise<Original>
  /** URLs of unused copies that equal the original. */
  free: string[]
}

const copies = new Map<string, Copies>()

/**
 * Returns the URL of a copy of a database without connections, for the current test. Creating a copy takes ten times as
 * long as restoring one, so the next test reuses it, unless its tables changed or a client is still connected.
 */
export async function copyPostgresDatabase(template: string): Promise<string> {
  let known = copies.get(template)
  if (!known) {
    known = { original: connected(template, readOriginal), free: [] }
    copies.set(template, known)
  }
  const { original, free } = known
  await original // PostgreSQL copies only databases without connections.
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
    const result = await client.query(`SELECT coalesce(json_agg(t), '[]')::text AS rows FROM "${table}" t`)
    rows.push({ table, rows: result.rows[0].rows })
  }
  const { rows: names } = await client.query(`SELECT relname FROM pg_class WHERE ${OWN} AND relkind = 'S'`)
  const sequences = []
  for (const { relname: sequence } of names) {
    const result = await client.query(`SELECT last_value, is_called FROM "${sequence}"`)
    sequences.push({ sequence, ...result.rows[0] })
  }
  return { shape: await shapeOf(client), size: await sizeOf(client), rows, sequences }
}

/** Maximum time until a closed connection disappears. */
const GONE_MS = 1000
/**
 * Maximum growth in bytes of a reused copy. Deleted rows stay in the files and slow down queries, because no vacuum
 * runs here.
 */
const GROWTH_MAX = 16 * 1024 * 1024

/** Restores the original rows. Returns false if the copy cannot be reused. */
async function restore(client: pg.Client, { shape, size, rows, sequences }: Original): Promise<boolean> {
  // Remaining connections are leaks of the test. They could write during the next test.
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
  // The audit trigger rejects deletes, except in the replica role.
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

/** Returns a digest of everything besides rows that a test may change. */
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

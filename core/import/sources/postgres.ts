import pg from 'pg'
import { withoutPassword } from '../../db/without-password.ts'
import type { Source, SourceRow } from './source.ts'

const CONNECT_TIMEOUT_MS = 10_000
const INT8 = 20
const NUMERIC = 1700
/** Ids of date and time types. Their values are returned as text, as other databases return them. */
const TIMES = new Set([1082, 1114, 1184])

const types: pg.CustomTypesConfig = {
  getTypeParser: (oid, format) => {
    if (oid === INT8 || oid === NUMERIC) return Number
    if (TIMES.has(oid)) return String
    return pg.types.getTypeParser(oid, format)
  },
}

/** Opens a PostgreSQL database with a read-only session. */
export async function openPostgresSource(url: string): Promise<Source> {
  const client = new pg.Client({ connectionString: url, types, connectionTimeoutMillis: CONNECT_TIMEOUT_MS })
  // Ignore the event. If the connection breaks between two statements, the next statement fails anyway.
  client.on('error', () => {})
  await client.connect()
  await client.query('SET default_transaction_read_only = on')
  const query = async (sql: string): Promise<SourceRow[]> => (await client.query(sql)).rows
  const list = async (sql: string, values: unknown[]) => (await client.query(sql, values)).rows.map(({ name }) => name)
  return {
    kind: 'postgres',
    name: withoutPassword(url),
    quote: (identifier) => `"${identifier.replaceAll('"', '""')}"`,
    query,
    columns: (table) =>
      list(
        `SELECT column_name AS name FROM information_schema.columns
          WHERE table_schema = current_schema() AND table_name = $1 ORDER BY ordinal_position`,
        [table],
      ),
    tables: () =>
      list('SELECT table_name AS name FROM information_schema.tables WHERE table_schema = current_schema()', []),
    async snapshot(work) {
      await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY')
      try {
        return await work()
      } finally {
        await client.query('COMMIT')
      }
    },
    close: () => client.end(),
  }
}

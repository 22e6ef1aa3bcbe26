import type { RowDataPacket } from 'mysql2/promise'
import { withoutPassword } from '../../db/without-password.ts'
import type { Source, SourceRow } from './source.ts'

const CONNECT_TIMEOUT_MS = 10_000

/** Opens a MySQL or MariaDB database with a read-only session. Only this function loads the driver. */
export async function openMysqlSource(url: string): Promise<Source> {
  const { createConnection } = await import('mysql2/promise')
  const connection = await createConnection({
    uri: url,
    connectTimeout: CONNECT_TIMEOUT_MS,
    dateStrings: true,
    decimalNumbers: true,
    charset: 'utf8mb4',
  })
  // Ignore the event. If the connection breaks between two statements, the next statement fails anyway.
  connection.on('error', () => {})
  const query = async (sql: string): Promise<SourceRow[]> => {
    const [rows] = await connection.query<RowDataPacket[]>(sql)
    return rows
  }
  const quote = (identifier: string) => `\`${identifier.replaceAll('`', '``')}\``
  await query('SET SESSION TRANSACTION READ ONLY')
  return {
    kind: 'mysql',
    name: withoutPassword(url),
    quote,
    query,
    async columns(table) {
      const [rows] = await connection.execute<RowDataPacket[]>(
        `SELECT column_name AS name FROM information_schema.columns
          WHERE table_schema = database() AND table_name = ? ORDER BY ordinal_position`,
        [table],
      )
      return rows.map(({ name }) => String(name).toLowerCase())
    },
    async tables() {
      const rows = await query(
        'SELECT table_name AS name FROM information_schema.tables WHERE table_schema = database()',
      )
      return rows.map((row) => String(row.name))
    },
    async snapshot(work) {
      await query('START TRANSACTION WITH CONSISTENT SNAPSHOT')
      try {
        return await work()
      } finally {
        await query('COMMIT')
      }
    },
    close: () => connection.end(),
  }
}

import { randomBytes } from 'node:crypto'
import { createConnection } from 'mysql2/promise'
import { whenDone } from './lifetime.ts'

/** Default address of MySQL or MariaDB on machines that have one. */
const SERVER = process.env.TEST_MYSQL_URL ?? 'mysql://root@127.0.0.1:3306'
const WAIT_MS = 2000

/** Creates a database with these statements, dropped when the test ends; or returns why there is none. */
export async function createMysqlDatabase(
  statements: readonly string[],
): Promise<{ url: string } | { reason: string }> {
  const name = `tollgate_test_${randomBytes(6).toString('hex')}`
  try {
    const server = await createConnection({ uri: SERVER, connectTimeout: WAIT_MS })
    await server.query(`CREATE DATABASE ${name} CHARACTER SET utf8mb4`)
    whenDone(async () => {
      await server.query(`DROP DATABASE ${name}`)
      await server.end()
    })
    await server.query(`USE ${name}`)
    for (const statement of statements) await server.query(statement)
    return { url: `${SERVER}/${name}` }
  } catch (error) {
    const { code = '', message } = error as { code?: string; message: string }
    if (/ECONN|ETIMEDOUT|ENOTFOUND/.test(code)) return { reason: `no MySQL at ${SERVER}: ${message || code}` }
    throw error
  }
}

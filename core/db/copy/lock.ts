import { closeSync, openSync, rmSync, statSync } from 'node:fs'
import knex, { type Knex } from 'knex'
import { errorCode } from '../../error-parts.ts'
import { GatewayError } from '../../errors.ts'
import { because } from '../../messages/reasons.ts'
import { type Database, NO_LOGGING } from '../database.ts'
import { execute, type SqliteConnection } from '../sqlite-connection.ts'

/** Distinguishes this advisory lock from others of the database. */
const LOCK_ID = 728_644_191

type Unlock = () => Promise<void>

/**
 * Locks the source, because two copies of it would remove each other's triggers and recorded changes. Returns a
 * function that releases the lock. If the process is killed, the operating system or PostgreSQL releases the lock.
 * Throws COPY_FAILED if another copy has the lock.
 */
export async function lockSource(source: Database, target: Pick<Database, 'name'>): Promise<Unlock> {
  const unlock = await (source.kind === 'sqlite' ? lockFile(`${source.name}-copy-lock`) : lockSchema(source.reader))
  if (unlock) return unlock
  const reason = because('otherCopyRunning', { source: source.name })
  throw new GatewayError('COPY_FAILED', { target: target.name, ...reason })
}

/** Locks a file next to the database, because SQLite has no lock that lets writers of the database continue. */
async function lockFile(path: string): Promise<Unlock | undefined> {
  closeSync(openSync(path, 'a', 0o600))
  const { ino } = statSync(path)
  const pool = knex({ client: 'sqlite3', connection: { filename: path }, useNullAsDefault: true, ...NO_LOGGING })
  const connection: SqliteConnection = await pool.client.acquireConnection()
  const close = async () => {
    await pool.client.releaseConnection(connection)
    await pool.destroy()
  }
  try {
    await execute(connection, 'BEGIN EXCLUSIVE')
  } catch (error) {
    await close()
    if (errorCode(error) === 'SQLITE_BUSY') return undefined
    throw error
  }
  // If a copy that ends has deleted the file meanwhile, another copy can lock a new file.
  if (statSync(path, { throwIfNoEntry: false })?.ino !== ino) {
    await close()
    return undefined
  }
  return async () => {
    rmSync(path, { force: true })
    await close()
  }
}

/** Takes an advisory lock, which belongs to a connection. */
async function lockSchema(reader: Knex): Promise<Unlock | undefined> {
  const connection: unknown = await reader.client.acquireConnection()
  const call = async (name: string): Promise<boolean> => {
    const { rows } = await reader
      .raw<{ rows: { done: boolean }[] }>(`SELECT ${name}(?, hashtext(current_schema())) AS done`, [LOCK_ID])
      .connection(connection)
    return rows[0]?.done === true
  }
  const release = () => reader.client.releaseConnection(connection)
  try {
    if (await call('pg_try_advisory_lock')) {
      return async () => {
        // After a lost connection, the lock is already released.
        await call('pg_advisory_unlock').catch(() => {})
        await release()
      }
    }
  } catch (error) {
    await release()
    throw error
  }
  await release()
  return undefined
}

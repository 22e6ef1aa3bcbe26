import { accessSync, closeSync, constants, existsSync, openSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import knex, { type Knex } from 'knex'
import Transaction from 'knex/lib/dialects/sqlite3/execution/sqlite-transaction.js'
import Client from 'knex/lib/dialects/sqlite3/index.js'
import { createFolder } from '../create-folder.ts'
import { errorCode, errorMessage } from '../error-parts.ts'
import { GatewayError } from '../errors.ts'
import { type Database, NO_LOGGING, type OpenOptions } from './database.ts'
import { requireNotForeign } from './migrate.ts'
import { AUTOMATIC_CHECKPOINT_PAGES, createCheckpoints } from './sqlite-checkpoints.ts'
import { execute, type SqliteConnection } from './sqlite-connection.ts'
import { requireSqliteDriver } from './sqlite-driver.ts'
import { damagedError, guardSqlite, isDamage, quickCheck, requireFileOfLog } from './sqlite-guard.ts'
import { watchCommits } from './sqlite-watch.ts'

const BUSY_TIMEOUT_MS = 15_000
const BUSY_RETRY_MS = 20
/** Maximum duration of the check at start. A complete check of a large database takes long. */
const QUICK_CHECK_MS = 1000

/**
 * Returns Knex's client for SQLite with two changes. Transactions take the write lock at BEGIN. With Knex's plain
 * BEGIN, two processes that read and then write would fail with SQLITE_BUSY instead of waiting. After a failed COMMIT
 * (disk full), the transaction is rolled back. Otherwise it would stay open and block later transactions.
 */
function immediateClient(): typeof Knex.Client {
  class ImmediateTransaction extends Transaction<SqliteConnection> {
    override begin(connection: SqliteConnection) {
      return this.query(connection, this.readOnly ? 'BEGIN;' : 'BEGIN IMMEDIATE;')
    }
    override async commit(connection: SqliteConnection, value: unknown): Promise<void> {
      try {
        await execute(connection, 'COMMIT')
        this._completed = true
        this._resolver(value)
      } catch (error) {
        await execute(connection, 'ROLLBACK').catch(() => {}) // SQLite may have rolled back already.
        this._completed = true
        this._rejecter(error)
      }
    }
  }
  return class extends Client {
    override transaction(work: (trx: Knex.Transaction) => Promise<unknown>, ...options: unknown[]): Knex.Transaction {
      return new ImmediateTransaction(this, work, ...options) as unknown as Knex.Transaction
    }
  }
}

function openPool(filename: string, { max, pragmas }: { max: number; pragmas: string[] }): Knex {
  return knex({
    client: immediateClient(),
    connection: { filename },
    useNullAsDefault: true,
    ...NO_LOGGING,
    pool: {
      // Connections open when first needed.
      min: 0,
      max,
      idleTimeoutMillis: 2 ** 31 - 1,
      afterCreate(connection: SqliteConnection, done: (error: Error | null, connection: unknown) => void) {
        const remainingPragmas = [`busy_timeout = ${BUSY_TIMEOUT_MS}`, 'temp_store = MEMORY', ...pragmas]
        const deadline = Date.now() + BUSY_TIMEOUT_MS
        const next = (): void => {
          const [pragma] = remainingPragmas
          if (pragma === undefined) {
            done(null, connection)
            return
          }
          // Use `exec`. If the pragma fails, the driver's `run` would keep the statement open, and with it a lock for
          // which another process waits.
          connection.exec(`PRAGMA ${pragma}`, (error) => {
            // If two processes create a database at once and one enables WAL, the pragma of the other process fails
            // immediately, without waiting for `busy_timeout`.
            const isBusy = errorCode(error) === 'SQLITE_BUSY' && Date.now() < deadline
            // The delay is random. With equal delays, both processes would always collide again.
            if (isBusy) setTimeout(next, BUSY_RETRY_MS * (0.5 + Math.random()))
            else if (error) done(error, connection)
            else {
              remainingPragmas.shift()
              next()
            }
          })
        }
        next()
      },
    },
  })
}

export async function openSqlite(path: string, { onFatal = () => {} }: OpenOptions = {}): Promise<Database> {
  const file = resolve(path)
  requireSqliteDriver()
  requireFileOfLog(file)
  requireWritable(file)
  await requireNotForeignFile(file)
  // synchronous = NORMAL: in WAL mode, commits survive a crash of the process. Only a power failure may lose the last
  // commits.
  const writer = openPool(file, {
    max: 1,
    pragmas: [
      'journal_mode = WAL',
      'synchronous = NORMAL',
      'cache_size = -32000',
      `wal_autocheckpoint = ${AUTOMATIC_CHECKPOINT_PAGES}`,
    ],
  })
  const reader = openPool(file, { max: 3, pragmas: ['query_only = ON', 'cache_size = -16000'] })
  try {
    // Open the reader first, because it does not change the file. The writer would enable WAL in the file, which may
    // belong to a newer version or another master key.
    await reader.raw('SELECT count(*) FROM sqlite_master')
  } catch (cause) {
    await Promise.all([writer.destroy(), reader.destroy()])
    if (isDamage(cause)) throw damagedError(file, cause)
    throw new GatewayError('DATABASE_UNREACHABLE', { database: file, reason: errorMessage(cause) }, { cause })
  }
  const guard = guardSqlite(file, onFatal)
  for (const pooled of [writer, reader]) pooled.on('query-error', guard.checkError)
  const checkpoints = createCheckpoints({ reader, writer })
  return {
    kind: 'sqlite',
    name: file,
    reader,
    pools: { writer, reader },
    async transaction(work) {
      guard.assertSound()
      const result = await writer.transaction(work)
      checkpoints.onCommit()
      return result
    },
    snapshot: (work) => reader.transaction(work, { readOnly: true }),
    async serialize() {}, // Only one write transaction can be open.
    async withoutTimeouts() {}, // Transactions have no time limit.
    async script(statements) {
      guard.assertSound()
      const connection: SqliteConnection = await writer.client.acquireConnection()
      try {
        await execute(connection, `BEGIN IMMEDIATE;\n${statements};\nCOMMIT`)
        checkpoints.onCommit()
      } catch (error) {
        guard.checkError(error)
        await execute(connection, 'ROLLBACK').catch(() => {}) // It may not have begun, or is already rolled back.
        throw error
      } finally {
        writer.client.releaseConnection(connection)
      }
    },
    watch: (onCommit) =>
      watchCommits(openPool(file, { max: 1, pragmas: ['query_only = ON', 'cache_size = -100'] }), guard, onCommit),
    quickCheck: () => quickCheck(reader, { file, limitMs: QUICK_CHECK_MS }),
    async close() {
      await checkpoints.ended()
      await reader.destroy()
      await writer.destroy()
    },
  }
}

function requireWritable(file: string): void {
  const folder = dirname(file)
  try {
    createFolder(folder, 0o700)
    accessSync(folder, constants.W_OK)
    // Only the owner can read new files, because the database contains password hashes.
    if (existsSync(file)) accessSync(file, constants.R_OK | constants.W_OK)
    else closeSync(openSync(file, 'a', 0o600))
  } catch (cause) {
    throw new GatewayError('DATA_FOLDER_UNWRITABLE', { folder, reason: errorMessage(cause) }, { cause })
  }
}

/** Opens the file without changing it or its write-ahead log. */
const READ_ONLY = 'mode=ro'
/** Opens the file without its log and journal. Works even with the journal of a killed process. */
const FILE_ALONE = 'mode=ro&immutable=1'

/**
 * Throws DATABASE_FOREIGN for the file of another program that is running or was killed. A normal open would change the
 * file, because SQLite would merge the log or roll back the journal.
 */
async function requireNotForeignFile(file: string): Promise<void> {
  const [hasLog, hasJournal] = [existsSync(`${file}-wal`), existsSync(`${file}-journal`)]
  if (!existsSync(file) || !(hasLog || hasJournal)) return
  // If the shared-memory file is missing, SQLite would create this file to read the log. So read the database without
  // the log first.
  const isShared = existsSync(`${file}-shm`)
  for (const mode of hasJournal || !isShared ? [FILE_ALONE, READ_ONLY] : [READ_ONLY, FILE_ALONE]) {
    if (await isRecognized(file, mode)) return
  }
}

/** Returns whether the file is certainly a database of Tollgate. Throws DATABASE_FOREIGN for another program's. */
async function isRecognized(file: string, mode: string): Promise<boolean> {
  const reader = knex({
    client: 'sqlite3',
    connection: { filename: `${pathToFileURL(file).href}?${mode}`, flags: ['OPEN_URI'] },
    useNullAsDefault: true,
    ...NO_LOGGING,
    pool: { min: 0, max: 1 },
  })
  try {
    await requireNotForeign({ reader, name: file })
    // A file without tables proves nothing, because its tables may be in the log.
    return await reader.schema.hasTable('migrations')
  } catch (error) {
    if (error instanceof GatewayError) throw error
    // Damage is reported when the database is opened.
    return false
  } finally {
    await reader.destroy()
  }
}

import { accessSync, closeSync, constants, existsSync, mkdirSync, openSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, resolve } from 'node:path'
import knex, { type Knex } from 'knex'
import { GatewayError } from '../errors.ts'
import { type Database, type OpenOptions, QUIET } from './database.ts'
import { requireSqliteDriver } from './sqlite-driver.ts'
import { damaged, guardSqlite, isDamage, quickCheck, refuseLoneLog } from './sqlite-guard.ts'

const BUSY_TIMEOUT_MS = 15_000
const BUSY_RETRY_MS = 20
const POLL_MS = 100
/** One poll in so many also looks whether the file was replaced. */
const FILE_LOOK_EVERY = 4
/** A start must not take long because a database is large. */
const QUICK_CHECK_MS = 1000

interface SqliteConnection {
  exec(sql: string, done: (error: Error | null) => void): void
}
/** Knex's transaction, with the parts of it that are used here. */
interface SqliteTransaction {
  _completed: boolean
  readOnly: boolean | undefined
  _resolver(value: unknown): void
  _rejecter(error: unknown): void
  query(connection: unknown, sql: string): unknown
}
type Constructor = new (
  ...parameters: unknown[]
) => SqliteTransaction & {
  begin(connection: unknown): unknown
  commit(connection: unknown, value: unknown): unknown
}

const run = (connection: SqliteConnection, sql: string): Promise<void> =>
  new Promise((resolve, reject) => connection.exec(sql, (error) => (error ? reject(error) : resolve())))

/**
 * Knex's client for SQLite, changed in two places. Knex opens transactions with a plain BEGIN, which takes the write lock only at
 * the first write: two processes that read and then write would fail at once with SQLITE_BUSY instead of waiting. And a COMMIT
 * that fails (a full disk) leaves the transaction open, so that no later one could begin: it is rolled back.
 */
function immediateClient(): typeof Knex.Client {
  const require = createRequire(import.meta.url)
  const Client = require('knex/lib/dialects/sqlite3/index.js') as typeof Knex.Client
  const Transaction = require('knex/lib/dialects/sqlite3/execution/sqlite-transaction.js') as Constructor
  class ImmediateTransaction extends Transaction {
    override begin(connection: unknown) {
      return this.query(connection, this.readOnly ? 'BEGIN;' : 'BEGIN IMMEDIATE;')
    }
    override async commit(connection: SqliteConnection, value: unknown): Promise<void> {
      try {
        await run(connection, 'COMMIT')
        this._completed = true
        this._resolver(value)
      } catch (error) {
        await run(connection, 'ROLLBACK').catch(() => {}) // SQLite may have rolled it back by itself.
        this._completed = true
        this._rejecter(error)
      }
    }
  }
  return class extends Client {
    override transaction(...parameters: unknown[]): Knex.Transaction {
      return new ImmediateTransaction(this, ...parameters) as unknown as Knex.Transaction
    }
  }
}

function pool(filename: string, { max, pragmas }: { max: number; pragmas: string[] }): Knex {
  return knex({
    client: immediateClient(),
    connection: { filename },
    useNullAsDefault: true,
    ...QUIET,
    pool: {
      // Opened when first needed.
      min: 0,
      max,
      idleTimeoutMillis: 2 ** 31 - 1,
      afterCreate(connection: SqliteConnection, done: (error: Error | null, connection: unknown) => void) {
        const rest = [`busy_timeout = ${BUSY_TIMEOUT_MS}`, 'temp_store = MEMORY', ...pragmas]
        const deadline = Date.now() + BUSY_TIMEOUT_MS
        const next = (): void => {
          const [pragma] = rest
          if (pragma === undefined) {
            done(null, connection)
            return
          }
          // `run` would keep a statement that failed, and with it the lock that the other process waits for.
          connection.exec(`PRAGMA ${pragma}`, (error) => {
            // Two processes that make a database at once: SQLite does not wait for the one that turns WAL on.
            const busy = (error as { code?: string } | null)?.code === 'SQLITE_BUSY' && Date.now() < deadline
            // Both try again, and must not keep step: each would find the other at it, every time.
            if (busy) setTimeout(next, BUSY_RETRY_MS * (0.5 + Math.random()))
            else if (error) done(error, connection)
            else {
              rest.shift()
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
  refuseLoneLog(file)
  requireWritable(file)
  // synchronous = NORMAL: in WAL mode a commit survives the death of the process; only a power cut may lose the last.
  const writer = pool(file, {
    max: 1,
    pragmas: ['journal_mode = WAL', 'synchronous = NORMAL', 'cache_size = -32000', 'wal_autocheckpoint = 4000'],
  })
  const reader = pool(file, { max: 3, pragmas: ['query_only = ON', 'cache_size = -16000'] })
  try {
    // The reader first: turning WAL on writes to the file, which may be a newer program's, or another key's.
    await reader.raw('SELECT count(*) FROM sqlite_master')
  } catch (cause) {
    await Promise.all([writer.destroy(), reader.destroy()])
    if (isDamage(cause)) throw damaged(file, cause)
    throw new GatewayError('DATABASE_UNREACHABLE', { database: file, reason: (cause as Error).message }, { cause })
  }
  const guard = guardSqlite(file, onFatal)
  for (const pooled of [writer, reader]) pooled.on('query-error', guard.note)
  return {
    kind: 'sqlite',
    name: file,
    reader,
    async transaction(work) {
      guard.assertSound()
      return writer.transaction(work)
    },
    snapshot: (work) => reader.transaction(work, { readOnly: true }),
    async alone() {}, // Every transaction is.
    async unhurried() {}, // None has a limit.
    async script(statements) {
      guard.assertSound()
      const connection = (await writer.client.acquireConnection()) as SqliteConnection
      try {
        await run(connection, `BEGIN IMMEDIATE;\n${statements};\nCOMMIT`)
      } catch (error) {
        guard.note(error)
        await run(connection, 'ROLLBACK').catch(() => {}) // It may have failed before it began.
        throw error
      } finally {
        writer.client.releaseConnection(connection)
      }
    },
    // data_version changes on a connection when any other connection commits: https://sqlite.org/pragma.html#pragma_data_version
    async watch(onCommit) {
      const watching = pool(file, { max: 1, pragmas: ['query_only = ON', 'cache_size = -100'] })
      let version = -1
      let stopped = false
      let timer: NodeJS.Timeout
      let looking: Promise<void> = Promise.resolve()
      let looks = 0
      const look = async () => {
        if (looks++ % FILE_LOOK_EVERY === 0) guard.look()
        const [row] = (await watching.raw('PRAGMA data_version')) as { data_version: number }[]
        if (row && row.data_version !== version) {
          version = row.data_version
          onCommit()
        }
      }
      const schedule = () => {
        timer = setTimeout(() => {
          looking = look()
            .catch(() => {}) // A busy database is looked at again at the next turn.
            .then(() => void (stopped || schedule()))
        }, POLL_MS)
        timer.unref()
      }
      await look()
      schedule()
      return async () => {
        stopped = true
        clearTimeout(timer)
        await looking
        await watching.destroy()
      }
    },
    quickCheck: () => quickCheck(reader, { file, limitMs: QUICK_CHECK_MS }),
    async close() {
      await reader.destroy()
      await writer.destroy()
    },
  }
}

/** Level by level: where a file system refuses a folder that it also denies to have, Node's own recursion never ends. */
function makeFolder(folder: string): void {
  if (existsSync(folder)) return
  makeFolder(dirname(folder))
  try {
    mkdirSync(folder, { mode: 0o700 })
  } catch (error) {
    // Another process that starts at the same time was faster.
    if ((error as { code?: string }).code !== 'EEXIST') throw error
  }
}

function requireWritable(file: string): void {
  const folder = dirname(file)
  try {
    makeFolder(folder)
    accessSync(folder, constants.W_OK)
    // It holds password hashes: what is made here, only its owner reads.
    if (existsSync(file)) accessSync(file, constants.R_OK | constants.W_OK)
    else closeSync(openSync(file, 'a', 0o600))
  } catch (cause) {
    throw new GatewayError('DATA_FOLDER_UNWRITABLE', { folder, reason: (cause as Error).message }, { cause })
  }
}

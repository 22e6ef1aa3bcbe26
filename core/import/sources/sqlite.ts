import { closeSync, existsSync, openSync, readSync } from 'node:fs'
import { basename, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { errorCode } from '../../error-parts.ts'
import type { Source, SourceRow } from './source.ts'

const BUSY_TIMEOUT_MS = 15_000
const WAL_VERSION = 2
const READ_VERSION_OFFSET = 19

/** Opens an SQLite file without changing it or creating files beside it. */
export async function openSqliteSource(path: string, name = resolve(path)): Promise<Source> {
  const { default: sqlite3 } = await import('sqlite3')
  const file = resolve(path)
  // To read a WAL database, SQLite would create a shared-memory file. If there is no WAL file, no process writes to the
  // database, so it can be opened as immutable.
  const isAtRest = isWal(file) && !existsSync(`${file}-wal`)
  const address = `${pathToFileURL(file).href}?mode=ro${isAtRest ? '&immutable=1' : ''}`
  const db = await new Promise<InstanceType<typeof sqlite3.Database>>((done, fail) => {
    const connection = new sqlite3.Database(address, sqlite3.OPEN_READONLY | sqlite3.OPEN_URI, (error) =>
      error ? fail(error) : done(connection),
    )
  })
  db.configure('busyTimeout', BUSY_TIMEOUT_MS)
  const query = (sql: string) =>
    new Promise<SourceRow[]>((done, fail) => {
      db.all<SourceRow>(sql, (error, rows) => (error ? fail(error) : done(rows)))
    })
  const exec = (sql: string) =>
    new Promise<void>((done, fail) => db.exec(sql, (error) => (error ? fail(error) : done())))
  const close = promisify(db.close.bind(db))
  const quote = (identifier: string) => `"${identifier.replaceAll('"', '""')}"`
  try {
    await query('SELECT count(*) FROM sqlite_master')
  } catch (error) {
    await close()
    throw isUnfinished(file, error) ? new Error(unfinishedText(file), { cause: error }) : error
  }
  return {
    kind: 'sqlite',
    name,
    quote,
    query,
    async columns(table) {
      const rows = await query(`PRAGMA table_info(${quote(table)})`)
      return rows.map((row) => String(row.name).toLowerCase())
    },
    async tables() {
      const rows = await query("SELECT name FROM sqlite_master WHERE type = 'table'")
      return rows.map((row) => String(row.name))
    },
    async snapshot(work) {
      await exec('BEGIN')
      try {
        return await work()
      } finally {
        await exec('COMMIT')
      }
    },
    close: async () => void (await close()),
  }
}

/** Returns whether a killed process left an unfinished transaction. Only a writable connection can roll it back. */
const isUnfinished = (file: string, error: unknown): boolean =>
  /^SQLITE_(READONLY|CANTOPEN)/.test(errorCode(error)) && existsSync(`${file}-journal`)

const unfinishedText = (file: string): string =>
  `its program was killed while it wrote, and left ${basename(file)}-journal: start and stop that program, or copy both files and open the copy with sqlite3`

function isWal(file: string): boolean {
  const descriptor = openSync(file, 'r')
  try {
    const header = Buffer.alloc(READ_VERSION_OFFSET + 1)
    readSync(descriptor, header, 0, header.length, 0)
    return header[READ_VERSION_OFFSET] === WAL_VERSION
  } finally {
    closeSync(descriptor)
  }
}

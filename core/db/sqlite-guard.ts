import { existsSync, statSync } from 'node:fs'
import type { Knex } from 'knex'
import { errorCode, errorMessage } from '../error-parts.ts'
import { GatewayError } from '../errors.ts'
import type { SqliteConnection } from './sqlite-connection.ts'

/** Monitors the file of a SQLite database. The first fatal error is reported once, and stops all later writes. */
interface SqliteGuard {
  /** Throws the reported error. */
  assertSound(): void
  /** Reports DATABASE_REPLACED if the file is no longer the opened file. */
  checkFile(): void
  /** Reports DATABASE_DAMAGED if a driver error means damage. */
  checkError(error: unknown): void
}

/** Returns the guard of a file. After a call of `onFatal`, the process should end, because its writes would be lost. */
export function guardSqlite(file: string, onFatal: (error: GatewayError) => void): SqliteGuard {
  const openedIdentity = identityOf(file)
  let fatal: GatewayError | undefined
  const fail = (error: GatewayError) => {
    if (fatal) return
    fatal = error
    onFatal(error)
  }
  return {
    assertSound() {
      if (fatal) throw fatal
    },
    checkFile() {
      if (identityOf(file) !== openedIdentity) fail(new GatewayError('DATABASE_REPLACED', { file }))
    },
    checkError(error) {
      if (isDamage(error)) fail(damagedError(file, error))
    },
  }
}

/** Returns the file's device and inode numbers. They differ between a file that was moved away and its replacement. */
function identityOf(file: string): string {
  const stats = statSync(file, { throwIfNoEntry: false })
  return stats ? `${stats.dev}:${stats.ino}` : 'none'
}

/** Returns whether a driver error means that the file is damaged. https://sqlite.org/rescode.html */
export const isDamage = (error: unknown): boolean => /^SQLITE_(CORRUPT|NOTADB)/.test(errorCode(error))

export const damagedError = (file: string, cause: unknown): GatewayError =>
  new GatewayError('DATABASE_DAMAGED', { file, reason: errorMessage(cause) }, { cause })

/** Throws DATABASE_DAMAGED for a WAL without its database. SQLite would create an empty database and delete the WAL. */
export function requireFileOfLog(file: string): void {
  const size = (path: string) => statSync(path, { throwIfNoEntry: false })?.size ?? 0
  if (existsSync(`${file}-wal`) && size(`${file}-wal`) > 0 && size(file) === 0) {
    throw damagedError(file, new Error('it is missing or empty, but its write-ahead log (-wal) has data'))
  }
}

/**
 * Throws DATABASE_DAMAGED if a SQLite database is damaged (https://sqlite.org/pragma.html#pragma_quick_check). Stops
 * after `limitMs`, and then assumes that the unread pages are sound.
 */
export async function quickCheck(reader: Knex, { file, limitMs }: { file: string; limitMs: number }): Promise<void> {
  const connection: SqliteConnection = await reader.client.acquireConnection()
  const timer = setTimeout(() => connection.interrupt(), limitMs)
  try {
    const [first] = await new Promise<{ quick_check: string }[]>((resolve, reject) =>
      connection.all<{ quick_check: string }>('PRAGMA quick_check(1)', (error, rows) =>
        error ? reject(error) : resolve(rows),
      ),
    )
    if (first && first.quick_check !== 'ok') throw damagedError(file, new Error(first.quick_check))
  } catch (error) {
    if (isDamage(error)) throw damagedError(file, error)
    if (errorCode(error) !== 'SQLITE_INTERRUPT') throw error
  } finally {
    clearTimeout(timer)
    reader.client.releaseConnection(connection)
  }
}

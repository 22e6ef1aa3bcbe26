import { closeSync, openSync, readSync, statSync } from 'node:fs'
import { withoutPassword } from '../../db/without-password.ts'
import { errorCode } from '../../error-parts.ts'
import { GatewayError } from '../../errors.ts'
import { fileReason } from '../../messages/file-errors.ts'
import type { Source } from './source.ts'

const ADDRESSES =
  'an SQLite file, an SQL dump, mysql://user:password@host/name, postgres://user:password@host/name or user:password@tcp(host:port)/name'
const SQLITE_HEADER = 'SQLite format 3\0'
/** MySQL addresses in settings of new-api and one-api: user:password@tcp(host:port)/name?options */
const GO_MYSQL = /^([^:@/]+)(?::(.*))?@tcp\(([^)]*)\)\/([^?]*)/

/**
 * Opens a source for reading: an SQLite file, `mysql://…`, `postgres://…`, a MySQL address in new-api's form, or an SQL
 * dump. Throws IMPORT_SOURCE_UNREADABLE.
 */
export async function openSource(address: string): Promise<Source> {
  try {
    if (/^postgres(ql)?:\/\//.test(address)) return await (await import('./postgres.ts')).openPostgresSource(address)
    if (address.startsWith('mysql://')) return await (await import('./mysql.ts')).openMysqlSource(address)
    const go = GO_MYSQL.exec(address)
    if (go) return await (await import('./mysql.ts')).openMysqlSource(fromGoAddress(go))
    if (/^[a-z][a-z0-9+.-]*:\/\//i.test(address)) throw new Error(`give ${ADDRESSES}`)
    const file = address.replace(/^sqlite:/, '')
    if (!statSync(file).isFile()) throw new Error('it is not a file')
    if (firstBytes(file, SQLITE_HEADER.length) === SQLITE_HEADER) {
      return await (await import('./sqlite.ts')).openSqliteSource(file)
    }
    return await (await import('./dump.ts')).openDump(file)
  } catch (cause) {
    if (cause instanceof GatewayError) throw cause
    throw unreadable(withoutPassword(address), cause)
  }
}

/** Wraps a driver's error in one that names the source. */
function unreadable(source: string, cause: unknown): GatewayError {
  // Drivers may throw errors with a code, and without a message.
  const hasMessage = cause instanceof Error && cause.message !== ''
  const reason = hasMessage ? fileReason(cause) : { reason: String(errorCode(cause) || cause) }
  return new GatewayError('IMPORT_SOURCE_UNREADABLE', { source, ...reason }, { cause })
}

function fromGoAddress([, user = '', password = '', host = '', name = '']: readonly string[]): string {
  return `mysql://${encodeURIComponent(user)}:${encodeURIComponent(password)}@${host}/${name}`
}

function firstBytes(file: string, length: number): string {
  const descriptor = openSync(file, 'r')
  try {
    const bytes = Buffer.alloc(length)
    return bytes.toString('latin1', 0, readSync(descriptor, bytes, 0, length, 0))
  } finally {
    closeSync(descriptor)
  }
}

import { closeSync, openSync, readSync, statSync } from 'node:fs'
import { GatewayError } from '../../errors.ts'
import type { Source } from './source.ts'

const SQLITE_HEADER = 'SQLite format 3\0'
/** The form of MySQL addresses in the settings of new-api and one-api: user:password@tcp(host:port)/name?options */
const GO_MYSQL = /^([^:@/]+)(?::(.*))?@tcp\(([^)]*)\)\/([^?]*)/

/**
 * Opens a source to read: an SQLite file, `mysql://…`, `postgres://…`, a MySQL address as new-api writes it, or an SQL dump.
 * Throws IMPORT_SOURCE_UNREADABLE.
 */
export async function openSource(address: string): Promise<Source> {
  try {
    if (/^postgres(ql)?:\/\//.test(address)) return await (await import('./postgres.ts')).openPostgresSource(address)
    if (address.startsWith('mysql://')) return await (await import('./mysql.ts')).openMysqlSource(address)
    const go = GO_MYSQL.exec(address)
    if (go) return await (await import('./mysql.ts')).openMysqlSource(fromGoAddress(go))
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

/** What a driver reports about a source, as an error that names the source. */
export function unreadable(source: string, cause: unknown): GatewayError {
  const reason =
    cause instanceof Error && cause.message ? cause.message : String((cause as { code?: string }).code ?? cause)
  return new GatewayError('IMPORT_SOURCE_UNREADABLE', { source, reason }, { cause })
}

export const withoutPassword = (address: string): string =>
  address.replace(/^([^@]*?:\/\/[^:@/]*):.*@/, '$1:***@').replace(/^([^:@/]+):.*@tcp\(/, '$1:***@tcp(')

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

import { existsSync, statSync } from 'node:fs'
import type { Knex } from 'knex'
import { GatewayError } from '../errors.ts'

/** Watches over the file of one SQLite database: what makes it useless is reported once, and stops all writing. */
export interface SqliteGuard {
  /** Throws what was reported. */
  assertSound(): void
  /** Looks whether the file is still the one that was opened. */
  look(): void
  /** Takes note of an error of the driver. */
  note(error: unknown): void
}

/** `onFatal` is called once: the process should end, since nothing that it writes is kept. */
export function guardSqlite(file: string, onFatal: (error: GatewayError) => void): SqliteGuard {
  const opened = identityOf(file)
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
    look() {
      if (identityOf(file) !== opened) fail(new GatewayError('DATABASE_REPLACED', { file }))
    },
    note(error) {
      if (isDamage(error)) fail(damaged(file, error))
    },
  }
}

/** A file that was moved away and one that was put in its place have other numbers. */
function identityOf(file: string): string {
  const found = statSync(file, { throwIfNoEntry: false })
  return found ? `${found.dev}:${found.ino}` : 'none'
}

/** Whether an error of the driver means that the file is damaged. https://sqlite.org/rescode.html */
export const isDamage = (error: unknown): boolean =>
  /^SQLITE_(CORRUPT|NOTADB)/.test((error as { code?: string } | undefined)?.code ?? '')

export const damaged = (file: string, cause: unknown): GatewayError =>
  new GatewayError('DATABASE_DAMAGED', { file, reason: (cause as Error).message }, { cause })

/** Throws DATABASE_DAMAGED for a write-ahead log whose database is gone: opening would create an empty one and lose the log. */
export function refuseLoneLog(file: string): void {
  const size = (path: string) => statSync(path, { throwIfNoEntry: false })?.size ?? 0
  if (existsSync(`${file}-wal`) && size(`${file}-wal`) > 0 && size(file) === 0) {
    throw damaged(file, new Error('it is missing or empty, but its write-ahead log (-wal) has data'))
  }
}

interface SqliteConnection {
  all(sql: string, done: (error: Error | null, rows: { quick_check: string }[]) => void): void
  interrupt(): void
}

/**
 * Reads as much of a SQLite database as it can within `limitMs`, and throws DATABASE_DAMAGED if it finds damage
 * (https://sqlite.org/pragma.html#pragma_quick_check). What it did not reach in time counts as sound.
 */
export async function quickCheck(reader: Knex, { file, limitMs }: { file: string; limitMs: number }): Promise<void> {
  const connection = (await reader.client.acquireConnection()) as SqliteConnection
  const timer = setTimeout(() => connection.interrupt(), limitMs)
  try {
    const rows = await new Promise<{ quick_check: string }[]>((resolve, reject) =>
      connection.all('PRAGMA quick_check(1)', (error, found) => (error ? reject(error) : resolve(found))),
    )
    const [first] = rows
    if (first && first.quick_check !== 'ok') throw damaged(file, new Error(first.quick_check))
  } catch (error) {
    if (isDamage(error)) throw damaged(file, error)
    if ((error as { code?: string }).code !== 'SQLITE_INTERRUPT') throw error
  } finally {
    clearTimeout(timer)
    reader.client.releaseConnection(connection)
  }
}

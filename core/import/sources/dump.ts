import { closeSync, fstatSync, mkdtempSync, openSync, readSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type sqlite3 from 'sqlite3'
import type { Source } from './source.ts'
import { openSqliteSource } from './sqlite.ts'
import { readParts } from './statements.ts'
import { type DumpValue, readCopied, readValues } from './values.ts'

const CREATE = /^CREATE\s+TABLE\s+(?:IF\s+NOT\s+EXISTS\s+)?([^\s(]+)\s*\(([\s\S]*)\)/i
const INSERT = /^INSERT\s+(?:IGNORE\s+)?INTO\s+([^\s(]+)\s*(\([^)]*\))?\s*(?:OVERRIDING\s+SYSTEM\s+VALUE\s*)?VALUES\s*/i
const COPY = /^COPY\s+([^\s(]+)\s*\(([^)]*)\)/i
/**
 * Entries of CREATE TABLE that are not columns. `key` is a column name in PostgreSQL. In MySQL, it starts an index if a
 * quoted name or a parenthesis follows.
 */
const NOT_A_COLUMN = /^((primary|unique|constraint|foreign|fulltext|spatial|exclude)\b|(key|index)\s*[`(]|check\s*\()/i
const POSTGRES_ARCHIVE = 'PGDMP'
/** Size of the first and the last part of a file that are examined. */
const PART_BYTES = 64 * 1024
/** For each dump program: the pattern of its dumps (`by`), and the pattern of the end of a complete dump (`end`). */
const ENDINGS = [
  { by: /-- (MySQL|MariaDB) dump/, end: /-- Dump completed/ },
  { by: /-- PostgreSQL database dump/, end: /-- PostgreSQL database dump complete/ },
  // For a damaged database, SQLite ends the dump with ROLLBACK instead.
  { by: /^PRAGMA foreign_keys=OFF;\s+BEGIN TRANSACTION;/, end: /^COMMIT;\s*$/m },
] as const
const ROWS_AT_ONCE = 5000

/**
 * Loads an SQL dump of MySQL, PostgreSQL or SQLite into a temporary database, which is deleted when the source is
 * closed. Throws with the reason if the file is not a complete dump.
 */
export async function openDump(path: string): Promise<Source> {
  const file = resolve(path)
  const head = textAt(file, 'start')
  if (head.startsWith(POSTGRES_ARCHIVE)) {
    throw new Error('it is an archive of pg_dump: make a dump without -Fc, or convert it with pg_restore -f dump.sql')
  }
  if (!/\b(CREATE\s+TABLE|INSERT\s+INTO|COPY\s+\S+\s*\()/i.test(head)) {
    throw new Error('it is neither an SQLite database nor an SQL dump')
  }
  const ending = ENDINGS.find(({ by }) => by.test(head))
  if (ending && !ending.end.test(textAt(file, 'end')))
    throw new Error('its last line is missing: the dump is not complete')
  // A dump with PRAGMA is from SQLite, even if it has backticks, because the imported programs use them in SQLite too.
  const isMysql =
    !/^PRAGMA /m.test(head) && /-- (MySQL|MariaDB) dump|\bENGINE\s*=|\b(CREATE TABLE|INSERT INTO) `/.test(head)
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-import-'))
  const remove = () => rmSync(folder, { recursive: true, force: true })
  try {
    const loaded = join(folder, 'dump.db')
    await load(file, loaded, isMysql)
    const source = await openSqliteSource(loaded, file)
    return {
      ...source,
      async close() {
        await source.close()
        remove()
      },
    }
  } catch (error) {
    remove()
    throw error
  }
}

async function load(file: string, target: string, isMysql: boolean): Promise<void> {
  const { default: driver } = await import('sqlite3')
  const db: sqlite3.Database = new driver.Database(target)
  const run = (sql: string, values: unknown[] = []) =>
    new Promise<void>((done, fail) => db.run(sql, values, (error) => (error ? fail(error) : done())))
  const tables = new Map<string, string[]>()
  let pending: { table: string; columns: readonly string[]; rows: DumpValue[][] } | undefined

  async function flush(): Promise<void> {
    if (!pending || pending.rows.length === 0) return
    const { table, columns, rows } = pending
    const names = columns.map(quoteName).join(', ')
    const values = columns.map((_, at) => `value ->> ${at}`).join(', ')
    await run(`INSERT INTO ${quoteName(table)} (${names}) SELECT ${values} FROM json_each(?)`, [JSON.stringify(rows)])
    pending = undefined
  }

  async function add(table: string, columns: readonly string[], rows: readonly DumpValue[][]): Promise<void> {
    const isSameTable = pending?.table === table && pending.columns.length === columns.length
    if (pending && (!isSameTable || pending.rows.length >= ROWS_AT_ONCE)) await flush()
    pending ??= { table, columns, rows: [] }
    for (const row of rows) {
      if (row.length !== columns.length)
        throw new Error(`a row of ${table} has ${row.length} values for ${columns.length} columns`)
      pending.rows.push(row)
    }
  }

  try {
    await run('PRAGMA journal_mode = OFF')
    await run('PRAGMA synchronous = OFF')
    await run('BEGIN')
    let copying: { table: string; columns: string[] } | undefined
    for await (const part of readParts(file, isMysql)) {
      if (part.kind === 'copied') {
        if (copying) await add(copying.table, copying.columns, [readCopied(part.line)])
        continue
      }
      copying = undefined
      const [, created, body] = CREATE.exec(part.text) ?? []
      if (created !== undefined && body !== undefined) {
        const columns = columnsIn(body)
        tables.set(nameOf(created), columns)
        const definitions = columns.map((name) => (name === 'id' ? 'id INTEGER PRIMARY KEY' : quoteName(name)))
        if (columns.length > 0) await run(`CREATE TABLE ${quoteName(nameOf(created))} (${definitions.join(', ')})`)
        continue
      }
      const copy = COPY.exec(part.text)
      if (copy) copying = { table: nameOf(copy[1] ?? ''), columns: parseNames(copy[2] ?? '') }
      const insert = INSERT.exec(part.text)
      if (!insert) continue
      const table = nameOf(insert[1] ?? '')
      const columns = insert[2] ? parseNames(insert[2].slice(1, -1)) : tables.get(table)
      if (columns) await add(table, columns, readValues(part.text.slice(insert[0].length), isMysql))
    }
    await flush()
    await run('COMMIT')
  } finally {
    await new Promise<void>((done) => db.close(() => done()))
  }
}

/** Returns the column names in the body of a CREATE TABLE. */
function columnsIn(body: string): string[] {
  const parts: string[] = []
  let depth = 0
  let start = 0
  let quote = ''
  for (let at = 0; at <= body.length; at++) {
    const character = body[at] ?? ','
    if (quote !== '') {
      if (character === quote) quote = ''
    } else if (/['"`]/.test(character)) quote = character
    else if (character === '(') depth++
    else if (character === ')') depth--
    else if (character === ',' && depth === 0) {
      parts.push(body.slice(start, at).trim())
      start = at + 1
    }
  }
  return parts
    .filter((part) => part !== '' && !NOT_A_COLUMN.test(part))
    .map((part) => nameOf(/^("[^"]+"|`[^`]+`|\S+)/.exec(part)?.[1] ?? ''))
}

/** Returns the name without schema and quotes. */
const nameOf = (text: string): string => (text.split('.').at(-1) ?? '').replace(/^["'`[]|["'`\]]$/g, '').toLowerCase()
const parseNames = (text: string): string[] => text.split(',').map((name) => nameOf(name.trim()))
const quoteName = (name: string): string => `"${name.replaceAll('"', '""')}"`

/** Returns the first or the last PART_BYTES of a file as text. */
function textAt(file: string, place: 'start' | 'end'): string {
  const descriptor = openSync(file, 'r')
  try {
    const start = place === 'start' ? 0 : Math.max(0, fstatSync(descriptor).size - PART_BYTES)
    const bytes = Buffer.alloc(PART_BYTES)
    return bytes.toString('utf8', 0, readSync(descriptor, bytes, 0, PART_BYTES, start))
  } finally {
    closeSync(descriptor)
  }
}

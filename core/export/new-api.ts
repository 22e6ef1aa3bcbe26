import { closeSync, openSync, rmSync } from 'node:fs'
import type sqlite3 from 'sqlite3'
import type { Database } from '../db/database.ts'
import { errorMessage } from '../error-parts.ts'
import { GatewayError } from '../errors.ts'
import { LOG_TYPE } from '../logs/log.ts'
import { keysOf } from '../records.ts'
import type { Secrets } from '../secrets.ts'
import { createIndexes, createTable, NEW_API_SCHEMA, type PeerTable } from './new-api-schema.ts'
import { EXPORTED_TABLES, type ExportedRow, type ExportedTable, readTable } from './tables.ts'

/** Result of an export to new-api. */
export interface PeerExport {
  file: string
  tables: { table: string; rows: number; sums: Record<string, number> }[]
  /** Number of users who must set a new password, because new-api can only check bcrypt hashes. */
  passwordsToSet: number
  /** Rows that new-api cannot store. */
  leftOut: { table: string; rows: number; reason: string }[]
}

const BCRYPT = /^\$2/
const TABLES = keysOf(NEW_API_SCHEMA)

/**
 * Writes one snapshot to a SQLite database with which new-api 0.4.7 can start. The file must not exist, and only its
 * owner can read it. On failure, removes the file and throws EXPORT_FAILED, or the abort reason of the signal.
 */
export async function exportToNewApi(
  db: Pick<Database, 'snapshot'>,
  file: string,
  { secrets, signal }: { secrets: Secrets; signal?: AbortSignal | undefined },
): Promise<PeerExport> {
  const exportError = (cause: unknown) =>
    new GatewayError('EXPORT_FAILED', { path: file, reason: errorMessage(cause) }, { cause })
  try {
    closeSync(openSync(file, 'wx', 0o600))
  } catch (cause) {
    throw exportError(cause)
  }
  const peer = await openPeer(file)
  try {
    await peer.run('PRAGMA journal_mode = OFF')
    await peer.run('PRAGMA synchronous = OFF')
    await peer.run('BEGIN')
    const result: PeerExport = { file, tables: [], passwordsToSet: 0, leftOut: [] }
    await db.snapshot(async (trx) => {
      for (const table of TABLES) {
        const source = EXPORTED_TABLES.find((each) => each.table === table)
        if (!source) throw new Error(`${table} is not exported`)
        await writePeerTable(peer, result, {
          source,
          schema: NEW_API_SCHEMA[table],
          batches: readTable(trx, source, secrets),
          signal,
        })
      }
    })
    await peer.run('COMMIT')
    await peer.close()
    return result
  } catch (cause) {
    await peer.close().catch(() => {}) // Only the first error is reported.
    rmSync(file, { force: true })
    if (signal?.aborted) throw cause
    throw exportError(cause)
  }
}

async function openPeer(file: string) {
  const { default: driver } = await import('sqlite3')
  const db: sqlite3.Database = new driver.Database(file)
  return {
    run: (sql: string, values: unknown[] = []) =>
      new Promise<void>((done, fail) => db.run(sql, values, (error) => (error ? fail(error) : done()))),
    close: () => new Promise<void>((done, fail) => db.close((error) => (error ? fail(error) : done()))),
  }
}

interface PeerTableInput {
  source: ExportedTable
  schema: PeerTable
  batches: AsyncIterable<ExportedRow[]>
  signal: AbortSignal | undefined
}

async function writePeerTable(
  peer: Awaited<ReturnType<typeof openPeer>>,
  result: PeerExport,
  { source, schema, batches, signal }: PeerTableInput,
): Promise<void> {
  const { table, sums = [] } = source
  const columns = Object.keys(schema.columns)
  const tableResult: PeerExport['tables'][number] = { table, rows: 0, sums: {} }
  const sumColumns = sums.filter((column) => columns.includes(column))
  for (const column of sumColumns) tableResult.sums[column] = 0
  await peer.run(createTable(table, schema))
  const names = columns.map((column) => `"${column}"`).join(', ')
  const values = columns.map((_, at) => `value ->> ${at}`).join(', ')
  const insert = `INSERT INTO "${table}" (${names}) SELECT ${values} FROM json_each(?)`
  for await (const batch of batches) {
    signal?.throwIfAborted()
    const rows = batch.filter((row) => table !== 'logs' || row.type !== LOG_TYPE.error)
    countLeftOut(result, batch.length - rows.length)
    for (const row of rows) {
      if (table === 'users') adaptUser(row, result)
      if (table === 'channels' && row.model_mapping === null) row.model_mapping = ''
      for (const column of sumColumns) tableResult.sums[column] = (tableResult.sums[column] ?? 0) + Number(row[column])
    }
    tableResult.rows += rows.length
    await peer.run(insert, [JSON.stringify(rows.map((row) => columns.map((column) => row[column] ?? null)))])
  }
  for (const statement of createIndexes(table, schema)) await peer.run(statement)
  result.tables.push(tableResult)
}

/** Adds to the number of omitted log rows. new-api cannot store the rows of failed relays. */
function countLeftOut({ leftOut }: PeerExport, rows: number): void {
  if (rows === 0) return
  const logRows = leftOut.find(({ table }) => table === 'logs')
  if (logRows) logRows.rows += rows
  else leftOut.push({ table: 'logs', rows, reason: 'rows of failed relays' })
}

function adaptUser(row: ExportedRow, result: PeerExport): void {
  // The column is unique. A missing token must be NULL, because several empty texts would conflict.
  if (row.access_token === '') row.access_token = null
  const password = String(row.password ?? '')
  if (password === '' || BCRYPT.test(password)) return
  result.passwordsToSet++
  row.password = ''
}

import { createHash } from 'node:crypto'
import { readdirSync, rmSync } from 'node:fs'
import { type FileHandle, open, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Knex } from 'knex'
import { createFolder } from '../create-folder.ts'
import type { Database } from '../db/database.ts'
import { errorMessage } from '../error-parts.ts'
import { GatewayError } from '../errors.ts'
import type { Secrets } from '../secrets.ts'
import { VERSION } from '../version.ts'
import { EXPORTED_TABLES, type ExportedTable, readTable } from './tables.ts'

/** One file of an export. */
interface ExportedFile {
  table: string
  file: string
  rows: number
  bytes: number
  sha256: string
  sums: Record<string, number>
}

/** Content of manifest.json: the exported files, with counts and hashes by which their completeness can be checked. */
export interface Manifest {
  format: 'tollgate-export'
  version: 1
  tollgate: string
  exported_at: number
  /** Whether the files contain keys and other secrets, in clear text. */
  secrets: boolean
  files: ExportedFile[]
}

/**
 * Writes one snapshot of all tables as JSON Lines to a new or empty folder. Only the owner of the files can read them.
 * On failure, removes the files and throws EXPORT_FAILED, or the abort reason of the signal.
 */
export async function exportToFolder(
  db: Pick<Database, 'snapshot'>,
  folder: string,
  { secrets, now, signal }: { secrets: Secrets | undefined; now: number; signal?: AbortSignal | undefined },
): Promise<Manifest> {
  const isNew = makeFolder(folder)
  const writtenFiles: string[] = []
  try {
    const files = await db.snapshot(async (trx) => {
      const exported: ExportedFile[] = []
      for (const table of EXPORTED_TABLES) {
        writtenFiles.push(join(folder, fileOf(table)))
        exported.push(await writeTable(trx, folder, { table, secrets, signal }))
      }
      return exported
    })
    const manifest: Manifest = {
      format: 'tollgate-export',
      version: 1,
      tollgate: VERSION,
      exported_at: now,
      secrets: secrets !== undefined,
      files,
    }
    // Write the manifest last. A folder without it is incomplete.
    writtenFiles.push(join(folder, 'manifest.json'))
    await writeFile(join(folder, 'manifest.json'), `${JSON.stringify(manifest, null, 2)}\n`, {
      mode: 0o600,
      flag: 'wx',
    })
    return manifest
  } catch (cause) {
    for (const file of writtenFiles) rmSync(file, { force: true })
    if (isNew) rmSync(folder, { recursive: true, force: true })
    if (signal?.aborted || cause instanceof GatewayError) throw cause
    throw new GatewayError('EXPORT_FAILED', { path: folder, reason: errorMessage(cause) }, { cause })
  }
}

const fileOf = ({ table }: ExportedTable): string => `${table}.jsonl`

/** Creates the folder if it does not exist. Returns whether it is new. Throws EXPORT_FAILED if it contains files. */
function makeFolder(folder: string): boolean {
  try {
    const created = createFolder(folder, 0o700)
    if (readdirSync(folder).length > 0) throw new Error('the folder is not empty')
    return created !== undefined
  } catch (cause) {
    throw new GatewayError('EXPORT_FAILED', { path: folder, reason: errorMessage(cause) }, { cause })
  }
}

async function writeTable(
  trx: Knex,
  folder: string,
  { table, secrets, signal }: { table: ExportedTable; secrets: Secrets | undefined; signal: AbortSignal | undefined },
): Promise<ExportedFile> {
  const file = fileOf(table)
  const hash = createHash('sha256')
  const result = { table: table.table, file, rows: 0, bytes: 0, sums: sumsOf(table) }
  const handle: FileHandle = await open(join(folder, file), 'wx', 0o600)
  try {
    for await (const rows of readTable(trx, table, secrets)) {
      signal?.throwIfAborted()
      const text = rows.map((row) => `${JSON.stringify(row)}\n`).join('')
      const bytes = Buffer.from(text)
      hash.update(bytes)
      // `appendFile` continues after a partial write. `write` does not.
      await handle.appendFile(bytes)
      result.bytes += bytes.length
      result.rows += rows.length
      for (const column of table.sums ?? []) {
        for (const row of rows) result.sums[column] = (result.sums[column] ?? 0) + Number(row[column])
      }
    }
    await handle.sync()
  } finally {
    await handle.close()
  }
  return { ...result, sha256: hash.digest('hex') }
}

const sumsOf = ({ sums = [] }: ExportedTable): Record<string, number> =>
  Object.fromEntries(sums.map((column) => [column, 0]))

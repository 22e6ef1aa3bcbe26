import { existsSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { createFolder } from '../../../../core/create-folder.ts'
import { databaseClock } from '../../../../core/db/clock.ts'
import type { Database } from '../../../../core/db/database.ts'
import { pendingMigrations } from '../../../../core/db/migrate.ts'
import { MIGRATIONS } from '../../../../core/db/migrations/list.ts'
import { openDatabase } from '../../../../core/db/open.ts'
import { dropSchema, renameSchemaAway, restoreSchema } from '../../../../core/db/postgres-schemas.ts'
import { errorMessage } from '../../../../core/error-parts.ts'
import { GatewayError } from '../../../../core/errors.ts'
import { listNodes } from '../../../../core/ledger/nodes.ts'
import { secretFile } from '../../../../core/master-key.ts'
import type { Cli } from '../../../cli.ts'
import { CommandError } from '../../../errors.ts'
import { unwritableFile } from '../../../output/new-file.ts'
import { runPostgresTool } from '../postgres-tool.ts'
import { type CheckedBackup, checkBackup } from './check.ts'
import { type Restored, type RestoreRequest, timeName } from './request.ts'

/**
 * A gateway whose last heartbeat is not older than this time counts as running. A gateway sends a heartbeat every five
 * seconds, and other processes end its epoch after 30 seconds without a heartbeat.
 */
const ALIVE_S = 60

/**
 * Renames the old schema, restores the backup into a new schema, checks the result, and writes the key of the backup. A
 * failure leaves the database and the key file unchanged.
 */
export async function restorePostgres(cli: Cli, request: RestoreRequest): Promise<Restored> {
  const { databaseUrl } = request.config
  // Rejects a file that is not an archive before the schema is renamed.
  await pgRestore(cli, request, ['--list', request.file])
  const db = await openDatabase(databaseUrl)
  const { name: database } = db
  const previous = `before_restore_${timeName(new Date()).replace('-', '_')}`
  try {
    const isReplaced = (await pendingMigrations(db.reader)).length < MIGRATIONS.length
    if (isReplaced) {
      await rejectRunning(db)
      await request.confirm(database)
    }
    await renameSchemaAway(db, previous)
    let undoKey = () => {}
    try {
      const checked = await restoreAndCheck(cli, request)
      undoKey = writeKey(cli, request, checked)
      if (!isReplaced) await dropSchema(db, previous)
      return { database, previous: isReplaced ? previous : undefined, pending: checked.pending }
    } catch (error) {
      await restoreSchema(db, previous)
      // Undo the key last: if the old schema cannot be renamed back, the schema of the backup still has its key.
      undoKey()
      throw error
    }
  } finally {
    await db.close()
  }
}

/**
 * Restores into the empty schema and checks the result. Opens a new connection, because older connections have cached
 * the old tables.
 */
async function restoreAndCheck(cli: Cli, request: RestoreRequest): Promise<CheckedBackup> {
  const { databaseUrl } = request.config
  const flags = ['--no-owner', '--no-privileges', '--exit-on-error', '--single-transaction', '--schema=public']
  await pgRestore(cli, request, [...flags, request.file], databaseUrl)
  const db = await openDatabase(databaseUrl)
  try {
    return await checkBackup(cli, db, request)
  } finally {
    await db.close()
  }
}

async function rejectRunning(db: Database): Promise<void> {
  if (!(await db.reader.schema.hasTable('nodes'))) return
  const now = await databaseClock(db)(db.reader)
  const isRunning = (await listNodes(db.reader)).some(({ seen_at }) => now - seen_at < ALIVE_S)
  if (isRunning) throw new GatewayError('DATABASE_IN_USE', { database: db.name })
}

/**
 * Writes the key that the backup needs, and keeps the previous key file under another name. Returns a function that
 * undoes both. Throws FILE_UNWRITABLE, and then changes nothing.
 */
function writeKey(cli: Cli, { config }: RestoreRequest, { key }: CheckedBackup): () => void {
  if (key === undefined) return () => {}
  const file = secretFile(config)
  const steps: (() => void)[] = []
  const undo = () => {
    for (const step of steps.reverse()) step()
  }
  try {
    createFolder(dirname(file), 0o700)
    if (existsSync(file)) {
      const previous = `${file}.before-restore-${timeName(new Date())}`
      renameSync(file, previous)
      steps.push(() => renameSync(previous, file))
    }
    steps.push(() => rmSync(file, { force: true }))
    writeFileSync(file, `${key}\n`, { mode: 0o600, flag: 'wx' })
    return undo
  } catch (cause) {
    undo()
    throw unwritableFile(cli, file, cause)
  }
}

async function pgRestore(cli: Cli, { name }: RestoreRequest, flags: string[], databaseUrl?: string): Promise<void> {
  const signal = cli.interruption()
  await runPostgresTool(cli, { program: 'pg_restore', flags, databaseUrl, signal }).catch((error) => {
    if (signal.aborted)
      throw new CommandError('INTERRUPTED', cli.t('db.interruptedTheDatabaseIsUnchanged'), { cause: error })
    const reason = cli.t('db.cannotRestore', { name, message: errorMessage(error) })
    throw new CommandError('BACKUP_INVALID', reason, { cause: error })
  })
}

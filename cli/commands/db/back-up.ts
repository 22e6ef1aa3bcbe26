import { closeSync, existsSync, readFileSync, statSync, writeSync } from 'node:fs'
import type { Config } from '../../../core/config.ts'
import { copySqlite } from '../../../core/db/sqlite-copy.ts'
import { errorMessage } from '../../../core/error-parts.ts'
import { secretFile } from '../../../core/master-key.ts'
import type { Cli } from '../../cli.ts'
import { CommandError } from '../../errors.ts'
import { type NewFile, openNewFile } from '../../output/new-file.ts'
import { withClock } from '../../output/progress.ts'
import { withDatabase } from './open.ts'
import { runPostgresTool, ToolMissingError } from './postgres-tool.ts'

/**
 * Backs up the database to a complete copy, or writes no file. Throws FILE_EXISTS (unless `force`), FILE_UNWRITABLE,
 * BACKUP_FAILED, INTERRUPTED, and errors of opening the database.
 */
export async function backUp(
  cli: Cli,
  path: string,
  { withKey, force }: { withKey: boolean; force: boolean },
): Promise<void> {
  await withDatabase(cli, async (db, config) => {
    const key = withKey ? masterKey(cli, config) : undefined
    const keyPath = `${path}.secret`
    const files: NewFile[] = []
    const open = (name: string) => {
      const file = openNewFile(cli, name, { force })
      files.push(file)
      return file
    }
    const signal = cli.interruption()
    try {
      if (key !== undefined) writeKey(open(keyPath), key)
      const { descriptor, writtenTo } = open(path)
      closeSync(descriptor)
      await withClock(cli.stderr, cli.t('db.copyingTheDatabase'), () =>
        db.kind === 'sqlite'
          ? copySqlite(db, writtenTo, signal)
          : dumpPostgres(cli, config.databaseUrl, { file: writtenTo, signal }),
      )
      const { size: bytes } = statSync(writtenTo)
      for (const file of files) file.keep()
      const data = { database: db.name, file: path, bytes, ...(key !== undefined && { key_file: keyPath }) }
      cli.report(cli.t('db.wroteTo', { name: db.name, path, bytes }), data)
    } catch (error) {
      for (const file of files) file.discard()
      if (signal.aborted) throw new CommandError('INTERRUPTED', cli.t('db.interruptedNoBackupWasMade'))
      if (error instanceof CommandError) throw error
      throw new CommandError('BACKUP_FAILED', cli.t('db.backupFailed', { message: errorMessage(error) }), {
        cause: error,
      })
    }
  })
  if (withKey) return cli.note(cli.t('db.theMasterKeyIsInSecret', { path }))
  cli.note(cli.t('db.alsoStoreTheMasterKey'))
}

function masterKey(cli: Cli, config: Config): string {
  const file = secretFile(config)
  if (config.secret !== undefined) return config.secret
  if (existsSync(file)) return readFileSync(file, 'utf8').trim()
  throw new CommandError('BACKUP_FAILED', cli.t('db.noMasterKeyToCopy', { file }))
}

function writeKey({ descriptor }: NewFile, key: string): void {
  writeSync(descriptor, `${key}\n`)
  closeSync(descriptor)
}

/**
 * Runs pg_dump. Throws BACKUP_FAILED with the error output of pg_dump, or with another way to back up if pg_dump is not
 * installed.
 */
async function dumpPostgres(
  cli: Cli,
  databaseUrl: string,
  { file, signal }: { file: string; signal: AbortSignal },
): Promise<void> {
  const flags = ['--format=custom', `--file=${file}`]
  await runPostgresTool(cli, { program: 'pg_dump', flags, databaseUrl, signal }).catch((error) => {
    if (signal.aborted) throw error
    if (!(error instanceof ToolMissingError))
      throw new CommandError('BACKUP_FAILED', errorMessage(error), { cause: error })
    const command = `pg_dump --format=custom --file=${file} "$DATABASE_URL"`
    throw new CommandError('BACKUP_FAILED', cli.t('db.pgDumpIsNotInstalled', { command }))
  })
}

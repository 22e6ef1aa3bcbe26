import { existsSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Cli } from '../../../cli.ts'
import { sqliteFile } from '../../../database-state.ts'
import { CommandError } from '../../../errors.ts'
import { localConfig } from '../../../local/require-local.ts'
import type { Restored, RestoreRequest } from './request.ts'

/**
 * Replaces the database with a backup. Throws FILE_UNREADABLE, BACKUP_INVALID and DATABASE_IN_USE, after which the
 * database is unchanged, and a usage error if the target is a server.
 */
export async function restore(
  cli: Cli,
  file: string,
  { yes, keyFile }: { yes: boolean; keyFile: string | undefined },
): Promise<void> {
  const config = await localConfig(cli)
  const target = sqliteFile(config.databaseUrl)
  const request: RestoreRequest = {
    config,
    name: file,
    file: existing(cli, file),
    keyFile: keyFile === undefined ? undefined : existing(cli, keyFile),
    confirm: (database) => cli.confirm(cli.t('db.replaceWith', { database, file }), { yes }),
  }
  const { database, previous, pending } = await (target === undefined
    ? (await import('./postgres.ts')).restorePostgres(cli, request)
    : (await import('./sqlite.ts')).restoreSqlite(cli, resolve(cli.folder, target), request))
  report(cli, { file, database, previous, pending })
}

function report(cli: Cli, { file, database, previous, pending }: Restored & { file: string }): void {
  cli.report(cli.t('db.restoredTo', { file, database }), { file, database, previous: previous ?? null, pending })
  if (cli.json) return
  if (previous !== undefined) cli.note(cli.t('db.thePreviousContentsAreIn', { folder: previous }))
  if (pending.length > 0) cli.note(cli.t('db.theBackupIsOlder'))
}

function existing(cli: Cli, path: string): string {
  const file = resolve(cli.folder, path)
  if (!existsSync(file)) throw new CommandError('FILE_UNREADABLE', cli.t('db.fileNotFound', { path }))
  if (!statSync(file).isFile()) throw new CommandError('FILE_UNREADABLE', cli.t('db.isNotAFile', { path }))
  return file
}

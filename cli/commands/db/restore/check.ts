import { existsSync, readFileSync } from 'node:fs'
import type { Database } from '../../../../core/db/database.ts'
import { findCorruption } from '../../../../core/db/integrity.ts'
import { pendingMigrations } from '../../../../core/db/migrate.ts'
import { MIGRATIONS } from '../../../../core/db/migrations/list.ts'
import { requireUsable } from '../../../../core/db/usable.ts'
import { fitsMasterKey, secretFile } from '../../../../core/master-key.ts'
import type { Cli } from '../../../cli.ts'
import { CommandError } from '../../../errors.ts'
import type { RestoreRequest } from './request.ts'

export interface CheckedBackup {
  pending: string[]
  /** The master key to write to the key file; undefined if the key in use fits the backup. */
  key: string | undefined
}

/** Checks an opened copy of a backup. Throws BACKUP_INVALID, USAGE and the errors of `requireUsable`. */
export async function checkBackup(cli: Cli, db: Database, request: RestoreRequest): Promise<CheckedBackup> {
  const [damage] = await findCorruption(db)
  if (damage)
    throw new CommandError('BACKUP_INVALID', cli.t('db.isDamaged', { name: request.name, damage: damage.what }))
  await requireUsable(db)
  const pending = await pendingMigrations(db.reader)
  if (pending.length === MIGRATIONS.length)
    throw new CommandError('BACKUP_INVALID', cli.t('db.isNotATollgateBackup', { name: request.name }))
  return { pending, key: await fittingKey(cli, db, request) }
}

/**
 * Checks the first available key of these: TOLLGATE_SECRET, --key, the file beside the backup, the current key file.
 * Returns the key if it must be written to the key file. Throws BACKUP_INVALID if there is no key or the key does not
 * fit the backup.
 */
async function fittingKey(cli: Cli, db: Database, { name, file, keyFile, config }: RestoreRequest) {
  const currentKeyFile = secretFile(config)
  if (config.secret !== undefined) {
    if (keyFile !== undefined) throw new CommandError('USAGE', cli.t('db.passEitherKeyOrTollgateSecret'))
    return requireFit(cli, db, { name, key: config.secret, from: 'TOLLGATE_SECRET' })
  }
  const from = keyFile ?? [`${file}.secret`, currentKeyFile].find((path) => existsSync(path))
  if (from === undefined) throw new CommandError('BACKUP_INVALID', cli.t('db.missingMasterKey', { name }))
  const key = await requireFit(cli, db, { name, key: readFileSync(from, 'utf8').trim(), from })
  const isInPlace = existsSync(currentKeyFile) && readFileSync(currentKeyFile, 'utf8').trim() === key
  return isInPlace ? undefined : key
}

async function requireFit(cli: Cli, db: Database, { name, key, from }: { name: string; key: string; from: string }) {
  if (await fitsMasterKey(db, key)) return from === 'TOLLGATE_SECRET' ? undefined : key
  throw new CommandError('BACKUP_INVALID', cli.t('db.theMasterKeyInDoes', { from, name }))
}

import { copyFileSync, existsSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import type { Config } from '../../../core/config.ts'
import { createFolder } from '../../../core/create-folder.ts'
import { type CopyProgress, copyDatabase } from '../../../core/db/copy/copy.ts'
import type { TableProof } from '../../../core/db/copy/verify.ts'
import { pendingMigrations, requireNotForeign } from '../../../core/db/migrate.ts'
import { openDatabase } from '../../../core/db/open.ts'
import { requireUsable } from '../../../core/db/usable.ts'
import { withoutPassword } from '../../../core/db/without-password.ts'
import { signWith } from '../../../core/ledger/chain.ts'
import { openSecrets, secretFile } from '../../../core/master-key.ts'
import type { Cli } from '../../cli.ts'
import { COPIED_TABLE_COLUMNS } from '../../columns/copied-table.ts'
import { databaseMissing, isDatabaseThere } from '../../database-state.ts'
import { CommandError, usageError } from '../../errors.ts'
import { localOnlyError } from '../../local/require-local.ts'
import type { Column } from '../../output/column.ts'

const COLUMNS: readonly Column<TableProof>[] = [
  ...COPIED_TABLE_COLUMNS,
  { name: 'digest', value: ({ digest }) => digest },
]

/** Copies a database. Throws COPY_FAILED, DATABASE_*, SECRET_*, INTERRUPTED, and a usage error for a server. */
export async function runCopy(
  cli: Cli,
  { from, to, whileRunning }: { from: string; to: string; whileRunning: boolean },
): Promise<void> {
  const target = await cli.target()
  if (target.kind === 'remote') throw localOnlyError(cli, target.server.url)
  const [sourceConfig, targetConfig] = [await configOf(cli, from), await configOf(cli, to)]
  if (sourceConfig.databaseUrl === targetConfig.databaseUrl) throw usageError(cli.t('moving.bothAreTheSameDatabase'))
  if (!(await isDatabaseThere(sourceConfig))) throw databaseMissing(cli, sourceConfig)
  const signal = cli.interruption()
  const source = await openDatabase(sourceConfig.databaseUrl)
  try {
    await requireUsable(source)
    if ((await pendingMigrations(source.reader)).length > 0) {
      throw usageError(cli.t('moving.hasAnOlderVersion', { from }))
    }
    const secrets = await openSecrets(source, sourceConfig)
    const target = await openDatabase(targetConfig.databaseUrl)
    try {
      await requireNotForeign(target)
      const onProgress = progressNotes(cli)
      const context = { sign: signWith(secrets) }
      const result = await copyDatabase(source, target, { context, whileRunning, onProgress, signal })
      const stoppedMs = Math.round(result.stoppedMs)
      if (cli.json) cli.writeJson({ ...result, stoppedMs })
      else await cli.print(result.tables, { columns: COLUMNS, empty: '' })
      cli.note(cli.t('moving.copiedTables', { count: result.tables.length, stoppedMs }))
    } finally {
      await target.close()
    }
    copyKey(cli, sourceConfig, targetConfig)
    if (!whileRunning)
      cli.note(cli.t('moving.startTheGatewayWithDatabaseUrl', { withoutPassword: withoutPassword(to) }))
  } catch (error) {
    if (signal.aborted) throw new CommandError('INTERRUPTED', cli.t('moving.interruptedTheNewDatabase'))
    throw error
  } finally {
    await source.close()
  }
}

async function configOf(cli: Cli, url: string): Promise<Config> {
  const [settings, { toConfig }] = await Promise.all([cli.settings({ DATABASE_URL: url }), import('../../settings.ts')])
  return toConfig(settings)
}

/** Copies the master key file, unless it exists there. Secrets in the copy are unreadable without the key. */
function copyKey(cli: Cli, sourceConfig: Config, targetConfig: Config): void {
  const keyFileOf = ({ dataFolder }: Config) => secretFile({ dataFolder: resolve(cli.folder, dataFolder) })
  const [from, path] = [keyFileOf(sourceConfig), keyFileOf(targetConfig)]
  if (sourceConfig.secret !== undefined || from === path || !existsSync(from)) return
  createFolder(dirname(path), 0o700)
  if (existsSync(path)) cli.note(cli.t('moving.alreadyExists', { path }))
  else {
    copyFileSync(from, path)
    cli.note(cli.t('moving.copiedTheMasterKeyTo', { path }))
  }
}

/** Returns a function that prints a note when a step of the copy begins. */
function progressNotes(cli: Cli): (progress: CopyProgress) => void {
  let lastStep = ''
  return ({ step }) => {
    if (step === lastStep) return
    lastStep = step
    if (step === 'rows') cli.note(cli.t('moving.copyingRows'))
    if (step === 'comparing') cli.note(cli.t('moving.comparing'))
    if (step === 'waiting') cli.note(cli.t('moving.nearlyEverythingIsCopied'))
  }
}

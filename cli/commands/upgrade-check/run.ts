import { statfsSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Config } from '../../../core/config.ts'
import { openDatabase } from '../../../core/db/open.ts'
import { openSecrets } from '../../../core/master-key.ts'
import { VERSION } from '../../../core/version.ts'
import { localUrlOf } from '../../address.ts'
import type { Cli } from '../../cli.ts'
import { databaseState, sqliteFile } from '../../database-state.ts'
import { failureOf } from '../../errors.ts'
import { localConfig } from '../../local/require-local.ts'
import { compareToThis } from '../../remote/version.ts'
import type { Texts } from '../../texts.ts'
import { checkSqliteDriver } from '../doctor/database.ts'
import { type Finding, findings } from '../doctor/finding.ts'
import { checkNode } from '../doctor/machine.ts'
import { answeringVersion } from '../doctor/port.ts'
import { reportFindings } from '../doctor/report.ts'
import { breakingChanges } from './breaking.ts'

const MEGABYTE = 1024 * 1024
/**
 * Free disk space that an upgrade needs, as a multiple of the database size. One copy is for a backup, and one for the
 * write-ahead log of a migration that changes every row.
 */
const COPIES = 2

/**
 * Checks whether this version can replace the running version, without changing anything. Throws a usage error if the
 * target is a server.
 */
export async function runUpgradeCheck(cli: Cli): Promise<void> {
  const config = await localConfig(cli)
  const running = await answeringVersion(localUrlOf(config))
  const driver = checkSqliteDriver(cli, config)
  await reportFindings(cli, [
    checkNode(cli, process.versions.node),
    ...(driver ? [driver] : []),
    checkRunning(cli, config, running),
    ...(running === undefined ? [] : await checkChanges(cli, running)),
    ...(driver?.status === 'fail' ? [] : await checkDatabase(cli, config)),
  ])
}

function checkRunning({ t }: Texts, config: Config, running: string | undefined): Finding {
  const { ok, fail } = findings('version')
  if (running === undefined)
    return ok(t('doctor.noGatewayIsRunningOn', { version: VERSION, address: localUrlOf(config) }))
  const order = compareToThis(running)
  if (order === 0) return ok(t('doctor.sameAsTheGatewayOn', { version: VERSION, address: localUrlOf(config) }))
  if (order < 0) return ok(t('doctor.canReplaceOn', { version: VERSION, running, address: localUrlOf(config) }))
  return fail(
    t('doctor.isRunning', { running, address: localUrlOf(config), version: VERSION }),
    t('doctor.installOrNewer', { running }),
  )
}

/** Returns findings about changes that operators or clients must adapt to. */
async function checkChanges({ t }: Texts, running: string): Promise<Finding[]> {
  const { ok, warn } = findings('changes')
  const changes = await breakingChanges({ after: running })
  if (changes.length === 0) return [ok(t('doctor.noBreakingChanges'))]
  return changes.map((change) => warn(change, t('doctor.seeChangelogMd')))
}

async function checkDatabase(cli: Cli, config: Config): Promise<Finding[]> {
  const { t } = cli
  const { ok, warn, fail } = findings('database')
  try {
    const state = await databaseState(config)
    if (!state.exists) return [ok(t('doctor.noneYet'))]
    await checkKey(config)
    if (state.pending.length === 0) return [ok(t('doctor.upToDate'))]
    const pending = t('doctor.theNextStartMigrates', { pending: state.pending.join(', ') })
    return [warn(pending, t('doctor.backUpFirst')), ...checkDiskSpace(cli, config)]
  } catch (error) {
    return [fail(failureOf(error, cli).message)]
  }
}

async function checkKey(config: Config): Promise<void> {
  const db = await openDatabase(config.databaseUrl)
  try {
    await openSecrets(db, config)
  } finally {
    await db.close()
  }
}

function checkDiskSpace({ t }: Texts, { databaseUrl }: Config): Finding[] {
  const file = sqliteFile(databaseUrl)
  if (file === undefined) return []
  const { ok, warn } = findings('disk')
  const { bavail, bsize } = statfsSync(dirname(file))
  const [free, needed] = [bavail * bsize, COPIES * statSync(file).size].map((bytes) => Math.ceil(bytes / MEGABYTE)) as [
    number,
    number,
  ]
  const text = t('doctor.mbFree', { free, needed })
  return [free >= needed ? ok(text) : warn(text, t('doctor.freeDiskSpaceOrWrite'))]
}

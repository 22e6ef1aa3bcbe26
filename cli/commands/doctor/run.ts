import type { Config } from '../../../core/config.ts'
import type { Cli } from '../../cli.ts'
import { failureOf } from '../../errors.ts'
import { type Settings, toConfig } from '../../settings.ts'
import { checkDatabase, checkSqliteDriver } from './database.ts'
import { type Finding, findings } from './finding.ts'
import { checkClock, checkDataFolder, checkDisk, checkNode, checkSecret } from './machine.ts'
import { checkPort } from './port.ts'
import { reportFindings } from './report.ts'
import { checkServer } from './server.ts'

/** Checks this machine or the target server, without changing anything. */
export async function runDoctor(cli: Cli): Promise<void> {
  const target = await cli.target({ anonymous: true })
  const findings =
    target.kind === 'remote'
      ? [checkNode(cli, process.versions.node), ...(await checkServer(cli, target.server))]
      : await checkMachine(cli)
  await reportFindings(cli, findings)
}

async function checkMachine(cli: Cli): Promise<Finding[]> {
  const { config, finding } = await checkSettings(cli)
  const findings = [checkNode(cli, process.versions.node), finding]
  if (!config) return findings
  const driver = checkSqliteDriver(cli, config)
  return [
    ...findings,
    checkDataFolder(cli, config),
    checkSecret(cli, config),
    checkDisk(cli, config),
    checkClock(cli, Date.now()),
    await checkPort(cli, config),
    ...(driver ? [driver] : []),
    ...(driver?.status === 'fail' ? [] : await checkDatabase(cli, config)),
  ]
}

async function checkSettings(cli: Cli): Promise<{ config?: Config; finding: Finding }> {
  const { ok, fail } = findings('settings')
  try {
    const settings = await cli.settings()
    return { config: toConfig(settings), finding: ok(origins(cli, settings)) }
  } catch (error) {
    return { finding: fail(failureOf(error, cli).message, cli.t('doctor.seeAll')) }
  }
}

function origins({ t }: Cli, { origins, file }: Settings): string {
  const changedNames = origins.filter(({ origin }) => origin !== 'default').map(({ name }) => name)
  const summary = changedNames.length
    ? t('doctor.setTheOthers', { names: changedNames.join(', ') })
    : t('doctor.allAtTheirDefaults')
  return file ? t('doctor.with', { settings: summary, file }) : summary
}

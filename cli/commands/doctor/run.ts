import type { Config } from '../../../core/config.ts'
import type { Cli } from '../../cli.ts'
import { padded } from '../../display-width.ts'
import { EXIT, failureOf } from '../../errors.ts'
import { printable } from '../../printable.ts'
import { type Settings, toConfig } from '../../settings.ts'
import { checkDatabase, checkSqliteDriver } from './database.ts'
import { type Finding, findings } from './finding.ts'
import { checkClock, checkDataFolder, checkDisk, checkNode, checkSecret } from './machine.ts'
import { checkPort } from './port.ts'
import { checkServer } from './server.ts'

/** Checks everything it can reach and changes nothing: this machine, or the server that is meant. */
export async function runDoctor(cli: Cli): Promise<void> {
  const backing = await cli.backing({ visitor: true })
  const found =
    backing.kind === 'remote'
      ? [checkNode(cli, process.versions.node), ...(await checkServer(cli, backing.server))]
      : await checkMachine(cli)
  if (found.some(({ status }) => status === 'fail')) cli.exitCode = EXIT.failed
  if (cli.json) return cli.writeJson(found)
  const { color } = await cli.format()
  const paint = { ok: color.green, warn: color.yellow, fail: color.red }
  for (const { check, status, message, fix } of found) {
    cli.write(`${paint[status](status.padEnd(6))}${padded(cli.text(check), CHECK_WIDTH)}${printable(message)}`)
    if (fix) cli.write(`${' '.repeat(6 + CHECK_WIDTH)}→ ${printable(fix)}`)
  }
  cli.note(summary(cli, found))
}

const CHECK_WIDTH = 13

async function checkMachine(cli: Cli): Promise<Finding[]> {
  const { config, finding } = await checkSettings(cli)
  const found = [checkNode(cli, process.versions.node), finding]
  if (!config) return found
  const driver = checkSqliteDriver(cli, config)
  return [
    ...found,
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
    return { finding: fail(failureOf(error, cli.language).message, cli.say`See them all with: tollgate config`) }
  }
}

function origins({ say }: Cli, { origins, file }: Settings): string {
  const set = origins.filter(({ origin }) => origin !== 'default').map(({ name }) => name)
  const which = set.length ? say`${set.join(', ')} set, the others as by default` : say`all as by default`
  return file ? say`${which}, with ${file}` : which
}

function summary({ say }: Cli, found: readonly Finding[]): string {
  const count = (status: Finding['status']) => found.filter((finding) => finding.status === status).length
  const [warnings, failures] = [count('warn'), count('fail')]
  if (warnings + failures === 0) return say`All is well.`
  return say`${failures} failed, ${warnings} to look at, ${count('ok')} well.`
}

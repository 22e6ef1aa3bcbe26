import type { Config } from '../../../core/config.ts'
import type { Cli } from '../../cli.ts'
import { EXIT, failureOf } from '../../errors.ts'
import { type Settings, toConfig } from '../../settings.ts'
import { checkDatabase } from './database.ts'
import { type Finding, findings } from './finding.ts'
import { checkClock, checkDataFolder, checkDisk, checkNode, checkSecret } from './machine.ts'
import { checkPort } from './port.ts'

/** Checks everything it can reach and changes nothing. */
export async function runDoctor(cli: Cli): Promise<void> {
  const found: Finding[] = [checkNode(process.versions.node)]
  const { config, finding } = await checkSettings(cli)
  found.push(finding)
  if (config) {
    found.push(checkDataFolder(config), checkSecret(config), checkDisk(config), checkClock(Date.now()))
    found.push(await checkPort(config), ...(await checkDatabase(config, cli.language)))
  }
  if (found.some(({ status }) => status === 'fail')) cli.exitCode = EXIT.failed
  if (cli.json) return cli.writeJson(found)
  const { color } = await cli.format()
  const paint = { ok: color.green, warn: color.yellow, fail: color.red }
  for (const { check, status, message, fix } of found) {
    cli.write(`${paint[status](status.padEnd(6))}${check.padEnd(13)}${message}`)
    if (fix) cli.write(`${' '.repeat(19)}→ ${fix}`)
  }
  cli.note(summary(found))
}

async function checkSettings(cli: Cli): Promise<{ config?: Config; finding: Finding }> {
  const { ok, fail } = findings('settings')
  try {
    const settings = await cli.settings()
    return { config: toConfig(settings), finding: ok(origins(settings)) }
  } catch (error) {
    return { finding: fail(failureOf(error, cli.language).message, 'See them all with: tollgate config') }
  }
}

function origins({ origins, file }: Settings): string {
  const set = origins.filter(({ origin }) => origin !== 'default').map(({ name }) => name)
  const from = file ? `, with ${file}` : ''
  return `${set.length ? `${set.join(', ')} set, the others as by default` : 'all as by default'}${from}`
}

function summary(found: readonly Finding[]): string {
  const count = (status: Finding['status']) => found.filter((finding) => finding.status === status).length
  const [warnings, failures] = [count('warn'), count('fail')]
  if (warnings + failures === 0) return 'All is well.'
  return `${failures} failed, ${warnings} to look at, ${count('ok')} well.`
}

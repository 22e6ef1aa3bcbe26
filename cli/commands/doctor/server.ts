import { ROLE } from '../../../core/actor.ts'
import { recordOf } from '../../../core/records.ts'
import { VERSION } from '../../../core/version.ts'
import type { Cli } from '../../cli.ts'
import { failureOf } from '../../errors.ts'
import { labelOf } from '../../input/enum-labels.ts'
import type { Server } from '../../remote/client.ts'
import { fetchIdentity } from '../../remote/identity.ts'
import { compareToThis, isOlder } from '../../remote/version.ts'
import { type Finding, findings } from './finding.ts'

/** Maximum clock difference without a warning. A part of the difference can be network delay. */
const CLOCK_SKEW_S = 60

/** Checks that the server is reachable and which user is signed in. */
export async function checkServer(cli: Cli, server: Server): Promise<Finding[]> {
  // Does not wait when the server limits the rate, because the rate limit itself is a finding.
  cli.canWait = false
  const client = await cli.clientOf(server)
  const { ok, fail } = findings('server')
  const startedAt = Date.now()
  try {
    const { data, headers } = await client.ask('GET /api/status')
    const version = String(recordOf(data).version)
    const findings = [
      ok(cli.t('doctor.respondsInMs', { url: server.url, ms: Date.now() - startedAt })),
      versionFinding(cli, version),
      clockFinding(cli, headers.get('date')),
    ]
    // Older servers do not support the request of `checkCaller`.
    if (isOlder(version)) return findings
    return [...findings, ...(await checkCaller(cli, server))]
  } catch (error) {
    const { code, message } = failureOf(error, cli)
    const fix = code === 'SERVER_BUSY' ? cli.t('doctor.theAddressIsRight') : cli.t('doctor.checkTheAddress')
    return [fail(message, fix)]
  }
}

function versionFinding({ t }: Cli, version: string): Finding {
  const { ok, warn, fail } = findings('version')
  const upgrade = t('doctor.upgradeTheServer')
  if (isOlder(version)) return fail(t('doctor.serverThisProgramCommandsNeed', { version, own: VERSION }), upgrade)
  const order = compareToThis(version)
  if (order === 0) return ok(t('doctor.sameAsThisProgram', { version }))
  return order < 0
    ? warn(t('doctor.serverThisProgramTheServer', { version, own: VERSION }), upgrade)
    : warn(t('doctor.serverThisProgramThisProgram', { version, own: VERSION }), t('doctor.upgradeThisProgram'))
}

/**
 * Compares this machine's clock with the server's clock. The client computes expiry times and time ranges by its own
 * clock, but the server checks these times by the server's clock.
 */
function clockFinding({ t }: Cli, date: string | null): Finding {
  const { ok, warn } = findings('clock')
  const difference = Math.round((Date.now() - Date.parse(date ?? '')) / 1000)
  if (Number.isNaN(difference)) return ok(t('doctor.theServerDoesNotReport'))
  if (Math.abs(difference) <= CLOCK_SKEW_S) return ok(t('doctor.sameAsTheServer'))
  return warn(t('doctor.sOffTheServerClock', { difference }), t('doctor.correctTheWrongClock'))
}

async function checkCaller(cli: Cli, server: Server): Promise<Finding[]> {
  const { ok, fail } = findings('signed in')
  try {
    const { id, username, role } = await fetchIdentity(await cli.clientOf(server))
    const signedIn = ok(cli.t('doctor.as', { username, id, role: labelOf(ROLE, role) }))
    return role < ROLE.admin ? [signedIn] : [signedIn, await databaseFinding(cli, { ...server, userId: id })]
  } catch (error) {
    const { message } = failureOf(error, cli)
    return [fail(message, cli.t('doctor.signIn', { url: server.url }))]
  }
}

async function databaseFinding(cli: Cli, server: Server): Promise<Finding> {
  const { ok, fail } = findings('database')
  try {
    await (await cli.clientOf(server)).call('GET /api/status/test')
    return ok(cli.t('label.answers'))
  } catch (error) {
    return fail(failureOf(error, cli).message)
  }
}

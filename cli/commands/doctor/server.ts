import { ROLE } from '../../../core/actor.ts'
import { VERSION } from '../../../core/version.ts'
import type { Cli } from '../../cli.ts'
import { failureOf } from '../../errors.ts'
import { labelOf } from '../../input/enum-labels.ts'
import type { Server } from '../../remote/client.ts'
import { identify } from '../../remote/identity.ts'
import { compareToThis, isOlder } from '../../remote/version.ts'
import { type Finding, findings } from './finding.ts'

/** Larger differences confuse users; the limit allows for network delay. */
const CLOCK_SKEW_S = 60

/** Checks that the server is reachable and which user is signed in. */
export async function checkServer(cli: Cli, server: Server): Promise<Finding[]> {
  // A rate limit is a finding; waiting would hide it.
  cli.canWait = false
  const client = await cli.clientOf(server)
  const { ok, fail } = findings('server')
  const begun = Date.now()
  try {
    const { data, headers } = await client.ask('GET', '/api/status')
    const version = String((data as { version?: unknown })?.version)
    const findings = [
      ok(cli.say`${server.url} responds in ${Date.now() - begun} ms`),
      versionFinding(cli, version),
      clockFinding(cli, headers.get('date')),
    ]
    // Older servers do not support the request for the caller.
    if (isOlder(version)) return findings
    return [...findings, ...(await checkCaller(cli, server))]
  } catch (error) {
    const { code, message } = failureOf(error, cli.language)
    const fix =
      code === 'SERVER_BUSY'
        ? cli.say`The address is right: wait, or send fewer requests at once`
        : cli.say`Check the address: tollgate config`
    return [fail(message, fix)]
  }
}

function versionFinding({ say }: Cli, version: string): Finding {
  const { ok, warn, fail } = findings('version')
  const upgrade = say`Upgrade the server, or use the same version of this program`
  if (isOlder(version))
    return fail(say`server ${version}, this program ${VERSION}: commands need a newer server`, upgrade)
  const order = compareToThis(version)
  if (order === 0) return ok(say`${version}, same as this program`)
  return order < 0
    ? warn(say`server ${version}, this program ${VERSION}: the server may lack bug fixes`, upgrade)
    : warn(
        say`server ${version}, this program ${VERSION}: this program may not know some fields`,
        say`Upgrade this program`,
      )
}

/** The client computes expiry and time ranges by its clock, the server checks them by its own. */
function clockFinding({ say }: Cli, date: string | null): Finding {
  const { ok, warn } = findings('clock')
  const difference = Math.round((Date.now() - Date.parse(date ?? '')) / 1000)
  if (Number.isNaN(difference)) return ok(say`the server does not report its time`)
  if (Math.abs(difference) <= CLOCK_SKEW_S) return ok(say`same as the server's`)
  return warn(say`${difference} s off the server clock`, say`Correct the wrong clock`)
}

async function checkCaller(cli: Cli, server: Server): Promise<Finding[]> {
  const { ok, fail } = findings('signed in')
  try {
    const { id, username, role } = await identify(await cli.clientOf(server))
    const known = ok(cli.say`as ${username} (${id}), ${labelOf(ROLE, role)}`)
    return role < ROLE.admin ? [known] : [known, await databaseFinding(cli, { ...server, userId: id })]
  } catch (error) {
    const { message } = failureOf(error, cli.language)
    return [fail(message, cli.say`Sign in: tollgate login ${server.url}`)]
  }
}

async function databaseFinding(cli: Cli, server: Server): Promise<Finding> {
  const { ok, fail } = findings('database')
  try {
    await (await cli.clientOf(server)).call('GET', '/api/status/test')
    return ok(cli.say`answers`)
  } catch (error) {
    return fail(failureOf(error, cli.language).message)
  }
}

import { VERSION } from '../../../core/version.ts'
import type { Cli } from '../../cli.ts'
import { CommandError, usageError } from '../../errors.ts'
import { changeProfiles, LOCAL, type Profile } from '../../profiles.ts'
import { createConnectionErrors } from '../../remote/connection-errors.ts'
import { identify } from '../../remote/identity.ts'
import { compareToThis, isOlder } from '../../remote/version.ts'
import { serverUrl } from '../../target.ts'
import type { Texts } from '../../texts.ts'
import type { LoginOptions } from '../login.ts'
import { warnEnvOverride } from '../profile/env-override.ts'
import { byPassword } from './by-password.ts'

/** Signs in to a server and makes it the default target. Stores the profile only after all steps have succeeded. */
export async function signIn(cli: Cli, address: string, options: LoginOptions): Promise<void> {
  const url = serverUrl(address, cli)
  // Checks the name before the user types a password.
  if (options.name !== undefined) nameFor(options.name, cli)
  const { botCheck } = await greet(cli, url)
  if (isInTheOpen(url))
    cli.note(cli.say`${url} is not https: others on the network can read the password and all replies.`)
  const given = (options.tokenStdin ? await cli.readInput() : options.token)?.trim()
  // An empty token comes from an unset variable.
  if (given === '') throw usageError(cli.say`the access token is empty`)
  const token = given ?? (await byPassword(cli, { url, botCheck }, options))
  const { id, username, role } = await identify(await cli.clientOf({ url, token }))
  const profile: Profile = { server: url, username, userId: id, role, token }
  let name = ''
  await changeProfiles({ env: cli.env, texts: cli }, (known) => {
    name = options.name === undefined ? freeName(url, known.profiles) : nameFor(options.name, cli)
    const before = Object.hasOwn(known.profiles, name) ? known.profiles[name] : undefined
    if (before && before.server !== url) {
      throw new CommandError(
        'PROFILE_TAKEN',
        cli.say`the profile ${name} is for ${before.server}: pass another --name, or remove it with tollgate logout ${name}`,
      )
    }
    return { current: name, profiles: { ...known.profiles, [name]: profile } }
  })
  cli.report(cli.say`Signed in to ${url} as ${username}. Commands now use the profile ${name}.`, {
    profile: name,
    server: url,
    user_id: id,
    username,
    role,
  })
  warnEnvOverride(cli)
}

/** Checks that the server is a Tollgate. Throws the client's errors, SERVER_FOREIGN and SERVER_OLDER. */
async function greet(cli: Cli, url: string): Promise<{ botCheck: boolean }> {
  const status = (await (await cli.clientOf({ url })).call('GET', '/api/status')) as Record<string, unknown> | undefined
  if (typeof status?.version !== 'string') {
    throw new CommandError(
      'SERVER_FOREIGN',
      cli.say`${url} responds, but not like a Tollgate gateway: check the address`,
    )
  }
  // Checked before the user types a password.
  if (isOlder(status.version)) throw createConnectionErrors(url, cli).older(status.version)
  if (compareToThis(status.version) !== 0)
    cli.note(cli.say`${url} runs version ${status.version}, this is ${VERSION}: features that one of them lacks fail.`)
  return { botCheck: status.turnstile_check === true }
}

/** Whether others on the network can read the traffic. */
export function isInTheOpen(url: string): boolean {
  const { protocol, hostname } = new URL(url)
  return protocol === 'http:' && !/^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname)
}

/** Profile name from the host; adds a number if another server or the local database has the name. */
export function freeName(url: string, profiles: Record<string, Profile>): string {
  const { hostname, host } = new URL(url)
  const candidates = [hostname, host].map((text) => text.replace(/[^\w.-]+/g, '-').replace(/^[^a-z\d]+|-+$/gi, ''))
  const fits = (name: string) => name !== LOCAL && (!Object.hasOwn(profiles, name) || profiles[name]?.server === url)
  const free = candidates.find(fits)
  if (free !== undefined) return free
  let count = 2
  while (!fits(`${candidates[0]}-${count}`)) count++
  return `${candidates[0]}-${count}`
}

/** Validates a profile name. Throws a usage error. */
function nameFor(text: string, { say }: Pick<Texts, 'say'>): string {
  if (text === LOCAL) throw usageError(say`${LOCAL} is the database on this machine: pass another --name`)
  if (!/^[a-z\d][\w.-]{0,63}$/i.test(text)) {
    throw usageError(say`--name can have up to 64 letters, digits, dots and dashes, not '${text}'`)
  }
  return text
}

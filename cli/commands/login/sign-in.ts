import { recordOf } from '../../../core/records.ts'
import { VERSION } from '../../../core/version.ts'
import type { Cli } from '../../cli.ts'
import { CommandError, usageError } from '../../errors.ts'
import { changeProfiles, LOCAL, type ServerProfile, warnEnvOverride } from '../../profiles.ts'
import { createClient } from '../../remote/client.ts'
import { createConnectionErrors } from '../../remote/connection-errors.ts'
import { fetchIdentity } from '../../remote/identity.ts'
import { compareToThis, isOlder } from '../../remote/version.ts'
import { serverUrl } from '../../target.ts'
import type { Texts } from '../../texts.ts'
import type { LoginOptions } from '../login.ts'

/** Signs in to a server and makes it the default target. Stores the profile only after all steps have succeeded. */
export async function signIn(cli: Cli, address: string, options: LoginOptions): Promise<void> {
  const url = serverUrl(address, cli)
  // Checks the name before the user types a password.
  if (options.name !== undefined) validName(options.name, cli)
  const { botCheck } = await requireTollgate(cli, url)
  if (isReadableByOthers(url)) cli.note(cli.t('server.isNotHttps', { url }))
  const givenToken = (options.tokenStdin ? await cli.readInput() : options.token)?.trim()
  // An empty token usually comes from an unset variable.
  if (givenToken === '') throw usageError(cli.t('server.theAccessTokenIsEmpty'))
  const token = givenToken ?? (await byPassword(cli, { url, botCheck }, options))
  const { id, username, role } = await fetchIdentity(await cli.clientOf({ url, token }))
  const profile: ServerProfile = { server: url, username, userId: id, role, token }
  let name = ''
  await changeProfiles({ env: cli.env, texts: cli }, (stored) => {
    name = options.name === undefined ? freeProfileName(url, stored.profiles) : validName(options.name, cli)
    const before = Object.hasOwn(stored.profiles, name) ? stored.profiles[name] : undefined
    if (before && before.server !== url) {
      throw new CommandError('PROFILE_TAKEN', cli.t('server.theProfile', { name, server: before.server }))
    }
    return { current: name, profiles: { ...stored.profiles, [name]: profile } }
  })
  cli.report(cli.t('server.signedIn', { url, username, name }), {
    profile: name,
    server: url,
    user_id: id,
    username,
    role,
  })
  warnEnvOverride(cli)
}

/** Checks that the server is a Tollgate. Throws the client's errors, SERVER_FOREIGN and SERVER_OLDER. */
async function requireTollgate(cli: Cli, url: string): Promise<{ botCheck: boolean }> {
  const status = recordOf((await (await cli.clientOf({ url })).ask('GET /api/status')).data)
  if (typeof status.version !== 'string') {
    throw new CommandError('SERVER_FOREIGN', cli.t('server.respondsButNotLike', { url }))
  }
  // Checks the version before the user types a password.
  if (isOlder(status.version)) throw createConnectionErrors(url, cli).olderServer(status.version)
  if (compareToThis(status.version) !== 0)
    cli.note(cli.t('server.runsVersion', { url, version: status.version, own: VERSION }))
  return { botCheck: status.turnstile_check === true }
}

/** Returns whether others on the network can read the traffic, which leaves this machine without encryption. */
export function isReadableByOthers(url: string): boolean {
  const { protocol, hostname } = new URL(url)
  return protocol === 'http:' && !/^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname)
}

/** Returns a profile name from the host of a server. Adds a number if the name is taken. */
export function freeProfileName(url: string, profiles: Record<string, ServerProfile>): string {
  const { hostname, host } = new URL(url)
  const candidates = [hostname, host].map((text) => text.replace(/[^\w.-]+/g, '-').replace(/^[^a-z\d]+|-+$/gi, ''))
  const fits = (name: string) => name !== LOCAL && (!Object.hasOwn(profiles, name) || profiles[name]?.server === url)
  const free = candidates.find(fits)
  if (free !== undefined) return free
  let count = 2
  while (!fits(`${candidates[0]}-${count}`)) count++
  return `${candidates[0]}-${count}`
}

/** Returns a valid profile name unchanged. Throws a usage error for an invalid name. */
function validName(text: string, { t }: Pick<Texts, 't'>): string {
  if (text === LOCAL) throw usageError(t('server.isTheDatabaseOnThisMachine', { name: LOCAL }))
  if (!/^[a-z\d][\w.-]{0,63}$/i.test(text)) throw usageError(t('server.nameIsInvalid', { name: text }))
  return text
}

/** Flags that replace the prompts. */
const MISSING = '--username, --password-stdin'

/**
 * Signs in like a browser, gets or creates the user's access token, and signs out. Throws NOT_SIGNED_IN if the server
 * requires more than a password, and the server's errors.
 */
async function byPassword(
  cli: Cli,
  { url, botCheck }: { url: string; botCheck: boolean },
  { username: givenName, passwordStdin }: LoginOptions,
): Promise<string> {
  if (botCheck) throw wantsMore(cli.t('server.requiresABotCheckAtSign', { url }))
  const username = givenName ?? (await (await cli.prompts(MISSING)).input({ message: cli.t('server.username') }))
  const password = passwordStdin
    ? await cli.readInput()
    : await (await cli.prompts(MISSING)).password({ message: cli.t('ui.password'), mask: true })
  const anonymousClient = await cli.clientOf({ url })
  const { data, headers } = await anonymousClient.ask('POST /api/user/login', { body: { username, password } })
  const { id } = recordOf(data)
  const cookie = headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ')
  if (typeof id !== 'number' || cookie === '') throw wantsMore(cli.t('server.requiresMoreThanAPassword', { url }))
  const session = createClient({ url, userId: id }, { texts: cli, env: cli.env, headers: { cookie } })
  const { access_token } = await session.read('GET /api/user/self')
  const token = access_token || (await session.read('GET /api/user/token'))
  // A failed logout is harmless, because the session expires by itself.
  await session.call('GET /api/user/logout').catch(() => undefined)
  return token

  function wantsMore(what: string): CommandError {
    return new CommandError('NOT_SIGNED_IN', cli.t('server.createAnAccessToken', { reason: what }))
  }
}

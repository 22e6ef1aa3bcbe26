import type { Actor } from '../core/actor.ts'
import type { LocalToolkit } from '../core/toolkit.ts'
import type { GlobalFlags } from './cli.ts'
import { CommandError, usageError } from './errors.ts'
import type { Environment } from './io.ts'
import type { ServerProfile } from './profiles.ts'
import type { Client, Server } from './remote/client.ts'
import type { Texts } from './texts.ts'
import type { CommandToolkit } from './toolkit.ts'

/** Target of a command: the local database or a server. */
export type Target = { kind: 'local' } | { kind: 'remote'; server: Server; profile?: string }

/**
 * Resolves the target by flags, then TOLLGATE_SERVER and TOLLGATE_PROFILE, then DATABASE_URL, then the profile in use.
 * TOLLGATE_TOKEN belongs to TOLLGATE_SERVER, or to --server if TOLLGATE_SERVER is unset. Throws PROFILE_NOT_FOUND, a
 * usage error for contradictions, and NOT_SIGNED_IN for a server without a token, unless `anonymous`.
 */
export async function resolveTarget(
  flags: Pick<GlobalFlags, 'database' | 'server' | 'profile'>,
  { env, texts, anonymous = false }: { env: Environment; texts: Texts; anonymous?: boolean },
): Promise<Target> {
  const flag = targetFlag(flags, texts)
  if (flag === 'database') return { kind: 'local' }
  if (flag === undefined) rejectPartialSettings(env, texts)
  const server = flags.server ?? (flag ? undefined : env.TOLLGATE_SERVER?.trim() || undefined)
  const profileName = flags.profile ?? (server ? undefined : env.TOLLGATE_PROFILE || undefined)
  const { LOCAL, getProfile, readProfiles } = await import('./profiles.ts')
  if (profileName === LOCAL) return { kind: 'local' }
  if (!server && !profileName && env.DATABASE_URL) return { kind: 'local' }
  if (!server) {
    const stored = await readProfiles({ env, texts })
    const profile = profileName ?? stored.current ?? LOCAL
    return profile === LOCAL ? { kind: 'local' } : { profile, ...remoteOf(getProfile(stored, profile, texts)) }
  }
  const url = serverUrl(server, texts)
  const token = tokenIn(env)
  const isForeignToken = token !== undefined && belongsToOtherServer(url, env, texts)
  if (token !== undefined && !isForeignToken) return { kind: 'remote', server: { url, token } }
  const { profiles, current = '' } = await readProfiles({ env, texts })
  const matchingProfiles = Object.entries(profiles).filter(([, profile]) => profile.server === url)
  // If several profiles have this server, the active profile takes precedence.
  const [profile, credentials] = matchingProfiles.find(([name]) => name === current) ?? matchingProfiles[0] ?? []
  if (profile !== undefined && credentials) return { profile, ...remoteOf(credentials) }
  if (anonymous) return { kind: 'remote', server: { url } }
  throw new CommandError(
    'NOT_SIGNED_IN',
    isForeignToken
      ? texts.t('server.notSigned', { url, tollgateServer: env.TOLLGATE_SERVER })
      : texts.t('server.notSignedInToRun', { url }),
  )
}

/**
 * Returns the flag that selects the target, if any. Throws a usage error for several flags, and for an empty value,
 * because a script with an unset variable must not use the local database.
 */
function targetFlag(
  flags: Pick<GlobalFlags, 'database' | 'server' | 'profile'>,
  { t }: Texts,
): 'database' | 'server' | 'profile' | undefined {
  const givenFlags = (['database', 'server', 'profile'] as const).filter((name) => flags[name] !== undefined)
  if (givenFlags.length > 1)
    throw usageError(t('server.passOnlyOneOf', { ways: givenFlags.map((name) => `--${name}`).join(', ') }))
  const [name] = givenFlags
  if (name !== undefined && flags[name]?.trim() === '') throw usageError(t('server.isEmpty', { name }))
  return name
}

/** Rejects a token without a server and an empty TOLLGATE_SERVER, so that no command runs on the wrong target. */
function rejectPartialSettings(env: Environment, { t }: Texts): void {
  if (env.TOLLGATE_SERVER?.trim()) return
  if (tokenIn(env) !== undefined) throw usageError(t('server.tollgateTokenIsSet'))
  if (env.TOLLGATE_SERVER !== undefined && !env.TOLLGATE_PROFILE) throw usageError(t('server.tollgateServerIsEmpty'))
}

const tokenIn = (env: Environment): string | undefined => env.TOLLGATE_TOKEN?.trim() || undefined

/** Whether TOLLGATE_TOKEN belongs to another server. Only that server may get the token. */
function belongsToOtherServer(url: string, env: Environment, texts: Texts): boolean {
  const { TOLLGATE_SERVER: envServer } = env
  if (!envServer?.trim()) return false
  try {
    return serverUrl(envServer, texts) !== url
  } catch {
    return true
  }
}

function remoteOf({ server: url, token, userId }: ServerProfile): Extract<Target, { kind: 'remote' }> {
  return { kind: 'remote', server: { url, token, userId } }
}

/**
 * Returns the URL without a trailing slash. The default scheme is https, or http for this machine. Throws a usage error
 * for other schemes, and for a URL with credentials, a query or a fragment.
 */
export function serverUrl(given: string, { t }: Pick<Texts, 't'>): string {
  const text = given.trim()
  // `localhost.example` is a remote host.
  const scheme = /^(localhost|127(\.\d+){3}|\[::1\])([:/]|$)/i.test(text) ? 'http' : 'https'
  const address = /^[a-z][a-z\d+.-]*:\/\//i.test(text) ? text : `${scheme}://${text}`
  const invalidAddress = usageError(t('server.isNotAServerAddress', { address: text }))
  if (!URL.canParse(address)) throw invalidAddress
  const url = new URL(address)
  if (!/^https?:$/.test(url.protocol) || url.username || url.password || url.search || url.hash) throw invalidAddress
  return `${url.origin}${url.pathname}`.replace(/\/+$/, '')
}

export interface OpenedTarget {
  toolkit: CommandToolkit
  actor: Actor
  /** Only for the local database. */
  local?: LocalToolkit
  /** Only for a server. */
  client?: Client
}

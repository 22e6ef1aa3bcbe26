import type { Actor } from '../core/actor.ts'
import type { LocalToolkit } from '../core/toolkit.ts'
import type { GlobalFlags } from './cli.ts'
import { CommandError, usageError } from './errors.ts'
import type { Server } from './remote/client.ts'
import type { Environment } from './surroundings.ts'
import type { CommandToolkit } from './toolkit.ts'

/** The gateway that a command is for: the database on this machine, or a server. */
export type Backing = { kind: 'local' } | { kind: 'remote'; server: Server; role?: number }

/** The profile that stands for the database on this machine. */
export const LOCAL = 'local'

/**
 * Which gateway a command line means. Flags come first, then TOLLGATE_SERVER and TOLLGATE_PROFILE, then a DATABASE_URL, and last
 * the profile of `tollgate login`. Throws a usage error for what does not go together, NOT_SIGNED_IN for a server without a token.
 */
export async function chooseBacking(
  flags: Pick<GlobalFlags, 'database' | 'server' | 'profile'>,
  env: Environment,
): Promise<Backing> {
  const given = [flags.database && '--database', flags.server && '--server', flags.profile && '--profile'].filter(
    Boolean,
  )
  if (given.length > 1) throw usageError(`give only one of ${given.join(' and ')}`)
  if (flags.database) return { kind: 'local' }
  const server = flags.server ?? (flags.profile ? undefined : env.TOLLGATE_SERVER || undefined)
  const named = flags.profile ?? (server ? undefined : env.TOLLGATE_PROFILE || undefined)
  if (named === LOCAL) return { kind: 'local' }
  if (!server && !named && env.DATABASE_URL) return { kind: 'local' }
  const { readProfiles } = await import('./profiles.ts')
  const { profiles, current } = await readProfiles(env)
  if (server) {
    const url = serverUrl(server)
    const token = env.TOLLGATE_TOKEN || undefined
    if (token) return { kind: 'remote', server: { url, token } }
    const known = Object.values(profiles).find((profile) => profile.server === url)
    if (!known)
      throw new CommandError(
        'NOT_SIGNED_IN',
        `not signed in to ${url}: run tollgate login ${url}, or set TOLLGATE_TOKEN`,
      )
    return { kind: 'remote', server: { url, token: known.token, userId: known.userId }, role: known.role }
  }
  const name = named ?? current ?? LOCAL
  if (name === LOCAL) return { kind: 'local' }
  const profile = profiles[name]
  if (!profile) {
    throw usageError(
      `there is no profile named ${name}: see tollgate profile list, or sign in with tollgate login <url>`,
    )
  }
  return {
    kind: 'remote',
    server: { url: profile.server, token: profile.token, userId: profile.userId },
    role: profile.role,
  }
}

/** Throws a usage error unless it is an http(s) address. Without a slash at its end. */
export function serverUrl(text: string): string {
  const whole = /^https?:\/\//i.test(text) ? text : `https://${text}`
  const refusal = usageError(`${text} is no address of a server: give one such as https://gateway.example`)
  if (!URL.canParse(whole)) throw refusal
  const url = new URL(whole)
  if (url.username || url.search || url.hash) throw refusal
  return `${url.origin}${url.pathname}`.replace(/\/+$/, '')
}

export interface Opened {
  toolkit: CommandToolkit
  actor: Actor
  /** Only where the database is on this machine. */
  local?: LocalToolkit
  /** Only where a server is asked. */
  client?: import('./remote/client.ts').Client
}

import { chmod, readFile, readlink, realpath, rename, rm, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { createFolder } from '../core/create-folder.ts'
import { CommandError } from './errors.ts'
import type { Environment } from './io.ts'
import { LockHeldError, withLock } from './run/file-lock.ts'
import type { Texts } from './texts.ts'

/** A server with a user's session. */
export interface Profile {
  /** Without a trailing slash. */
  server: string
  username: string
  userId: number
  role: number
  /** Access token or management key. */
  token: string
}

export interface Profiles {
  /** Profile in use; absent: the local database. */
  current?: string
  profiles: Record<string, Profile>
}

/** Name of the profile for the local database. */
export const LOCAL = 'local'

interface Place {
  env: Environment
  texts: Pick<Texts, 't'>
}

/** `~/.config/tollgate/profiles.json`, or in XDG_CONFIG_HOME (https://specifications.freedesktop.org/basedir-spec). */
export function profilesPath(env: Environment): string {
  return join(env.XDG_CONFIG_HOME || join(env.HOME || homedir(), '.config'), 'tollgate', 'profiles.json')
}

/** Reads the profiles; none if the file is missing. Throws FILE_UNREADABLE. */
export async function readProfiles({ env, texts: { t } }: Place): Promise<Profiles> {
  const path = profilesPath(env)
  try {
    return profilesIn(JSON.parse(await readFile(path, 'utf8')))
  } catch (cause) {
    const { code, message } = cause as NodeJS.ErrnoException
    if (code === 'ENOENT') return { profiles: {} }
    throw new CommandError('FILE_UNREADABLE', t('server.cannotReadTheProfiles', { path, message }), { cause })
  }
}

/** Returns the named profile. Throws PROFILE_NOT_FOUND. */
export function getProfile({ profiles }: Profiles, name: string, { t }: Pick<Texts, 't'>): Profile {
  const profile = Object.hasOwn(profiles, name) ? profiles[name] : undefined
  if (profile) return profile
  throw new CommandError('PROFILE_NOT_FOUND', t('server.unknownProfile', { name }))
}

/**
 * Changes the file atomically under a lock; only its owner can read it. Throws FILE_UNREADABLE for an invalid file, which stays
 * unchanged, and FILE_UNWRITABLE.
 */
export async function changeProfiles(
  place: Place,
  change: (before: Profiles) => Profiles,
  options: { patienceMs?: number } = {},
): Promise<void> {
  const { t } = place.texts
  const path = profilesPath(place.env)
  try {
    createFolder(dirname(path), 0o700)
    const real = await realPath(path)
    const next = `${real}.${process.pid}`
    await withLock(
      `${real}.lock`,
      async () => {
        const changed = change(await readProfiles(place))
        try {
          await writeFile(next, `${JSON.stringify(changed, null, 2)}\n`, { mode: 0o600 })
          await chmod(next, 0o600)
          await rename(next, real)
        } finally {
          await rm(next, { force: true })
        }
      },
      options,
    )
  } catch (cause) {
    if (cause instanceof CommandError) throw cause
    const message =
      cause instanceof LockHeldError
        ? t('server.anotherTollgateProcessIsChanging', { holder: cause.holder, lock: cause.lock })
        : t('server.cannotWriteTheProfilesTo', { path, message: (cause as Error).message })
    throw new CommandError('FILE_UNWRITABLE', message, { cause })
  }
}

/** Resolves a symbolic link, such as one into a shared settings folder, so that it stays a link. */
async function realPath(path: string): Promise<string> {
  try {
    return await realpath(path)
  } catch {
    // The link's target may not exist yet.
    const link = await readlink(path).catch(() => undefined)
    return link === undefined ? path : resolve(dirname(path), link)
  }
}

/** Validates the file, which users can edit. */
function profilesIn(document: unknown): Profiles {
  const { current, profiles = {} } = (isRecord(document) ? document : undefined) ?? fail('no object')
  if (!isRecord(profiles)) return fail('profiles')
  const checked = Object.entries(profiles).map(([name, profile]) => [name, profileIn(name, profile)] as const)
  return { ...(typeof current === 'string' && { current }), profiles: Object.fromEntries(checked) }
}

function profileIn(name: string, profile: unknown): Profile {
  const { server, username, userId, role, token } = isRecord(profile) ? profile : fail(name)
  if (typeof server !== 'string' || !URL.canParse(server)) return fail(`${name}.server`)
  if (typeof username !== 'string' || typeof token !== 'string') return fail(`${name}.username, ${name}.token`)
  if (typeof userId !== 'number' || typeof role !== 'number') return fail(`${name}.userId, ${name}.role`)
  return { server, username, userId, role, token }
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function fail(what: string): never {
  throw new Error(what)
}

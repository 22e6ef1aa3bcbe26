import { chmod, readFile, readlink, realpath, rename, rm, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { createFolder } from '../core/create-folder.ts'
import { errorCode } from '../core/error-parts.ts'
import { fileErrorText } from '../core/messages/file-errors.ts'
import { isRecord } from '../core/records.ts'
import type { Cli } from './cli.ts'
import { CommandError, usageError } from './errors.ts'
import type { Environment } from './io.ts'
import { LockHeldError, withLock } from './run/file-lock.ts'
import type { Texts } from './texts.ts'

/** A server and the user's credential for the server. */
export interface ServerProfile {
  /** URL of the server, without a trailing slash. */
  server: string
  username: string
  userId: number
  role: number
  /** Access token or management key. */
  token: string
}

export interface Profiles {
  /** Name of the active profile; absent for the local database. */
  current?: string
  profiles: Record<string, ServerProfile>
}

/** Name of the profile for the local database. */
export const LOCAL = 'local'

interface ProfileContext {
  env: Environment
  texts: Pick<Texts, 't' | 'language'>
}

/**
 * Returns `~/.config/tollgate/profiles.json`, or the path in XDG_CONFIG_HOME
 * (https://specifications.freedesktop.org/basedir-spec).
 */
export function profilesPath(env: Environment): string {
  return join(env.XDG_CONFIG_HOME || join(env.HOME || homedir(), '.config'), 'tollgate', 'profiles.json')
}

/** Reads the profiles. Returns no profiles if the file is missing. Throws FILE_UNREADABLE. */
export async function readProfiles({ env, texts: { t, language } }: ProfileContext): Promise<Profiles> {
  const path = profilesPath(env)
  try {
    return profilesIn(JSON.parse(await readFile(path, 'utf8')))
  } catch (cause) {
    if (errorCode(cause) === 'ENOENT') return { profiles: {} }
    const message = t('server.cannotReadTheProfiles', { path, message: fileErrorText(cause, language) })
    throw new CommandError('FILE_UNREADABLE', message, { cause })
  }
}

/** Returns the named profile. Throws PROFILE_NOT_FOUND. */
export function getProfile({ profiles }: Profiles, name: string, { t }: Pick<Texts, 't'>): ServerProfile {
  const profile = Object.hasOwn(profiles, name) ? profiles[name] : undefined
  if (profile) return profile
  throw new CommandError('PROFILE_NOT_FOUND', t('server.unknownProfile', { name }))
}

/**
 * Changes the profiles file atomically under a lock. Only the file's owner can read the file. Throws FILE_UNWRITABLE,
 * and FILE_UNREADABLE for an invalid file, which stays unchanged.
 */
export async function changeProfiles(
  context: ProfileContext,
  change: (before: Profiles) => Profiles,
  options: { maxWaitMs?: number } = {},
): Promise<void> {
  const { t, language } = context.texts
  const path = profilesPath(context.env)
  try {
    createFolder(dirname(path), 0o700)
    const targetPath = await realPath(path)
    const temporaryPath = `${targetPath}.${process.pid}`
    await withLock(
      `${targetPath}.lock`,
      async () => {
        const newProfiles = change(await readProfiles(context))
        try {
          await writeFile(temporaryPath, `${JSON.stringify(newProfiles, null, 2)}\n`, { mode: 0o600 })
          await chmod(temporaryPath, 0o600)
          await rename(temporaryPath, targetPath)
        } finally {
          await rm(temporaryPath, { force: true })
        }
      },
      options,
    )
  } catch (cause) {
    if (cause instanceof CommandError) throw cause
    const message =
      cause instanceof LockHeldError
        ? t('server.anotherTollgateProcessIsChanging', { holder: cause.holder, lock: cause.lock })
        : t('server.cannotWriteTheProfilesTo', { path, message: fileErrorText(cause, language) })
    throw new CommandError('FILE_UNWRITABLE', message, { cause })
  }
}

/**
 * Removes all given profiles, or no profile if one of them does not exist. If the profile in use is removed, the local
 * database becomes the target. Throws PROFILE_NOT_FOUND.
 */
export async function removeProfiles(cli: Cli, names: readonly string[]): Promise<void> {
  if (names.includes(LOCAL)) throw usageError(cli.t('server.isTheDatabaseOnThisMachineAndCannot', { name: LOCAL }))
  await changeProfiles({ env: cli.env, texts: cli }, (stored) => {
    for (const name of names) getProfile(stored, name, cli)
    const profiles = Object.fromEntries(Object.entries(stored.profiles).filter(([name]) => !names.includes(name)))
    const { current } = stored
    return { ...(current !== undefined && !names.includes(current) && { current }), profiles }
  })
}

/** Environment variables that override the profile in use. */
const OVERRIDING_VARIABLES = ['TOLLGATE_SERVER', 'TOLLGATE_PROFILE', 'DATABASE_URL']

/** Warns if the environment overrides the profile in use. */
export function warnEnvOverride(cli: Pick<Cli, 'env' | 'note' | 't'>): void {
  const variable = OVERRIDING_VARIABLES.find((name) => cli.env[name])
  if (variable) cli.note(cli.t('server.isSetAndTakesPrecedence', { stronger: variable }))
}

/** Returns the target of a symbolic link, so that the rename replaces the target and the link remains. */
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
  const validProfiles = Object.entries(profiles).map(([name, profile]) => [name, profileIn(name, profile)] as const)
  return { ...(typeof current === 'string' && { current }), profiles: Object.fromEntries(validProfiles) }
}

function profileIn(name: string, profile: unknown): ServerProfile {
  const { server, username, userId, role, token } = isRecord(profile) ? profile : fail(name)
  if (typeof server !== 'string' || !URL.canParse(server)) return fail(`${name}.server`)
  if (typeof username !== 'string' || typeof token !== 'string') return fail(`${name}.username, ${name}.token`)
  if (typeof userId !== 'number' || typeof role !== 'number') return fail(`${name}.userId, ${name}.role`)
  return { server, username, userId, role, token }
}

function fail(what: string): never {
  throw new Error(what)
}

import { chmod, mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { CommandError } from './errors.ts'
import type { Environment } from './surroundings.ts'
import type { Texts } from './texts.ts'

/** A gateway that somebody has signed in to. */
export interface Profile {
  /** Without a slash at its end. */
  server: string
  username: string
  userId: number
  role: number
  /** The management credential. */
  token: string
}

export interface Profiles {
  /** What is used when nobody says otherwise; absent: the database on this machine. */
  current?: string
  profiles: Record<string, Profile>
}

/** The profile that stands for the database on this machine. */
export const LOCAL = 'local'

interface Place {
  env: Environment
  texts: Pick<Texts, 'say'>
}

const LOCK_TRIES = 100
const LOCK_WAIT_MS = 30
/** Whoever holds a lock for so long has died with it. */
const LOCK_STALE_MS = 10_000

/** `~/.config/tollgate/profiles.json`, or where XDG_CONFIG_HOME says (https://specifications.freedesktop.org/basedir-spec). */
export function profilesPath(env: Environment): string {
  return join(env.XDG_CONFIG_HOME || join(env.HOME || homedir(), '.config'), 'tollgate', 'profiles.json')
}

/** None when there is no file yet. Throws FILE_UNREADABLE. */
export async function readProfiles({ env, texts: { say } }: Place): Promise<Profiles> {
  const path = profilesPath(env)
  try {
    return profilesIn(JSON.parse(await readFile(path, 'utf8')))
  } catch (cause) {
    const { code, message } = cause as NodeJS.ErrnoException
    if (code === 'ENOENT') return { profiles: {} }
    throw new CommandError(
      'FILE_UNREADABLE',
      say`cannot read the profiles in ${path} (${message}): mend the file, or delete it and sign in again`,
      { cause },
    )
  }
}

/** The profile of that name. Throws PROFILE_NOT_FOUND. */
export function getProfile({ profiles }: Profiles, name: string, { say }: Pick<Texts, 'say'>): Profile {
  const profile = Object.hasOwn(profiles, name) ? profiles[name] : undefined
  if (profile) return profile
  throw new CommandError(
    'PROFILE_NOT_FOUND',
    say`there is no profile named ${name}: see tollgate profile list, or sign in with tollgate login <url>`,
  )
}

/**
 * Changes the file, all of it or nothing; only its owner can read it. Of two that change it at once, one waits. Throws
 * FILE_UNREADABLE for one that makes no sense, which stays as it is, and FILE_UNWRITABLE.
 */
export async function changeProfiles(place: Place, change: (before: Profiles) => Profiles): Promise<void> {
  const path = profilesPath(place.env)
  const lock = `${path}.lock`
  const next = `${path}.${process.pid}`
  try {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 })
    await takeLock(lock)
    try {
      const changed = change(await readProfiles(place))
      await writeFile(next, `${JSON.stringify(changed, null, 2)}\n`, { mode: 0o600 })
      await chmod(next, 0o600)
      await rename(next, path)
    } finally {
      await rm(lock, { recursive: true, force: true })
    }
  } catch (cause) {
    if (cause instanceof CommandError) throw cause
    const { message } = cause as Error
    throw new CommandError('FILE_UNWRITABLE', place.texts.say`cannot write the profiles to ${path}: ${message}`, {
      cause,
    })
  }
}

/** A folder is made by one alone. */
async function takeLock(lock: string): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await mkdir(lock)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST' || attempt === LOCK_TRIES) throw error
      const since = await stat(lock).then(
        ({ mtimeMs }) => mtimeMs,
        () => undefined,
      )
      if (since !== undefined && Date.now() - since > LOCK_STALE_MS) await rm(lock, { recursive: true, force: true })
      else await wait(LOCK_WAIT_MS)
    }
  }
}

/** Somebody may have edited the file by hand. */
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

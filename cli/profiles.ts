import { chmod, mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { CommandError } from './errors.ts'
import type { Environment } from './surroundings.ts'

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

/** `~/.config/tollgate/profiles.json`, or where XDG_CONFIG_HOME says (https://specifications.freedesktop.org/basedir-spec). */
export function profilesPath(env: Environment): string {
  return join(env.XDG_CONFIG_HOME || join(env.HOME || homedir(), '.config'), 'tollgate', 'profiles.json')
}

/** None when there is no file yet. Throws FILE_UNREADABLE. */
export async function readProfiles(env: Environment): Promise<Profiles> {
  const path = profilesPath(env)
  try {
    const { current, profiles } = JSON.parse(await readFile(path, 'utf8')) as Partial<Profiles>
    return { ...(current !== undefined && { current }), profiles: profiles ?? {} }
  } catch (cause) {
    const { code, message } = cause as NodeJS.ErrnoException
    if (code === 'ENOENT') return { profiles: {} }
    throw new CommandError('FILE_UNREADABLE', `cannot read the profiles in ${path}: ${message}`, { cause })
  }
}

/** In place of what was there, all of it or nothing; only its owner can read it. Throws FILE_UNWRITABLE. */
export async function writeProfiles(env: Environment, profiles: Profiles): Promise<void> {
  const path = profilesPath(env)
  const next = `${path}.${process.pid}`
  try {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 })
    await writeFile(next, `${JSON.stringify(profiles, null, 2)}\n`, { mode: 0o600 })
    await chmod(next, 0o600)
    await rename(next, path)
  } catch (cause) {
    const message = (cause as Error).message
    throw new CommandError('FILE_UNWRITABLE', `cannot write the profiles to ${path}: ${message}`, { cause })
  }
}

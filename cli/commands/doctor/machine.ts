import { accessSync, constants, existsSync, statfsSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import type { Config } from '../../../core/config.ts'
import { sqliteFile } from '../../database-state.ts'
import type { Texts } from '../../texts.ts'
import { type Finding, findings } from './finding.ts'

const NODE_MIN = [20, 19] as const
const SECRET_FILE = 'tollgate.secret'
const OTHERS = 0o077
const OTHERS_WRITE = 0o002
const MEGABYTE = 1024 * 1024
const DISK_LOW = 1024 * MEGABYTE
const DISK_FULL = 100 * MEGABYTE
const CLOCK_MIN_MS = Date.UTC(2025, 0, 1)

export function checkNode({ say }: Texts, version: string): Finding {
  const { ok, fail } = findings('node')
  const [major = 0, minor = 0] = version.split('.').map(Number)
  const [needed, neededMinor] = NODE_MIN
  const enough = major > needed || (major === needed && minor >= neededMinor)
  return enough ? ok(version) : fail(say`${version} is too old`, say`Install Node.js ${NODE_MIN.join('.')} or newer`)
}

/** Checks that the data folder exists or can be created, is writable, and is not world-writable. */
export function checkDataFolder({ say }: Texts, { databaseUrl, dataFolder }: Config): Finding {
  const { ok, warn, fail } = findings('data folder')
  const folder = resolve(dataFolder)
  if (sqliteFile(databaseUrl) === undefined && !existsSync(folder)) return ok(say`not needed: the database is a server`)
  const there = nearestFolder(folder)
  if (!mayWrite(there))
    return fail(
      say`cannot write to ${there}`,
      say`Change its owner to the user that runs Tollgate: chown $USER ${there}`,
    )
  if (there !== folder) return ok(say`${folder} will be created at the first start`)
  const mode = statSync(folder).mode & 0o777
  const text = say`${folder} (mode ${mode.toString(8)})`
  if (posix() && mode & OTHERS_WRITE) return warn(say`${text}: writable by everyone`, `chmod o-w ${folder}`)
  return ok(text)
}

export function checkSecret({ say }: Texts, { secret, dataFolder }: Config): Finding {
  const { ok, warn } = findings('secret')
  if (secret !== undefined) return ok(say`TOLLGATE_SECRET is set`)
  const file = resolve(join(dataFolder, SECRET_FILE))
  if (!existsSync(file)) return ok(say`${file} will be created with a new database`)
  const mode = statSync(file).mode & 0o777
  const text = say`${file} (mode ${mode.toString(8)})`
  if (posix() && mode & OTHERS) return warn(say`${text}: readable by others`, `chmod 600 ${file}`)
  return ok(say`${text}; keep a copy of it`)
}

export function checkDisk({ say }: Texts, { dataFolder }: Config): Finding {
  const { ok, warn, fail } = findings('disk')
  const folder = nearestFolder(resolve(dataFolder))
  const { bavail, bsize } = statfsSync(folder)
  const free = bavail * bsize
  const text = say`${Math.floor(free / MEGABYTE)} MB free at ${folder}`
  const fix = say`Free disk space, or delete old log rows: tollgate log clear --before 90d`
  if (free < DISK_FULL) return fail(text, fix)
  return free < DISK_LOW ? warn(text, fix) : ok(text)
}

/** Expiry, sessions and logs depend on the clock. The database checks compare it with the newest log row. */
export function checkClock({ say }: Texts, nowMs: number): Finding {
  const { ok, fail } = findings('clock')
  const text = new Date(nowMs).toISOString()
  return nowMs < CLOCK_MIN_MS ? fail(say`${text} is in the past`, say`Correct the clock of this machine`) : ok(text)
}

function nearestFolder(folder: string): string {
  return existsSync(folder) || dirname(folder) === folder ? folder : nearestFolder(dirname(folder))
}

function mayWrite(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK)
    return statSync(folder).isDirectory()
  } catch {
    // The folder is not writable.
    return false
  }
}

const posix = () => process.platform !== 'win32'

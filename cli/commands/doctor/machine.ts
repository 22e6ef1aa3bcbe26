import { accessSync, constants, existsSync, statfsSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import type { Config } from '../../../core/config.ts'
import { secretFile } from '../../../core/master-key.ts'
import { sqliteFile } from '../../database-state.ts'
import type { Texts } from '../../texts.ts'
import { type Finding, findings } from './finding.ts'

const NODE_MIN = [20, 19] as const
const OTHERS = 0o077
const OTHERS_WRITE = 0o002
const MEGABYTE = 1024 * 1024
const DISK_LOW = 1024 * MEGABYTE
const DISK_FULL = 100 * MEGABYTE
const CLOCK_MIN_MS = Date.UTC(2025, 0, 1)

export function checkNode({ t }: Texts, version: string): Finding {
  const { ok, fail } = findings('node')
  const [major = 0, minor = 0] = version.split('.').map(Number)
  const [neededMajor, neededMinor] = NODE_MIN
  const isSupported = major > neededMajor || (major === neededMajor && minor >= neededMinor)
  return isSupported
    ? ok(version)
    : fail(t('doctor.isTooOld', { version }), t('doctor.installNodeJsOrNewer', { nodeMin: NODE_MIN.join('.') }))
}

/** Checks that the data folder exists or can be created, is writable, and is not world-writable. */
export function checkDataFolder({ t }: Texts, { databaseUrl, dataFolder }: Config): Finding {
  const { ok, warn, fail } = findings('data folder')
  const folder = resolve(dataFolder)
  if (sqliteFile(databaseUrl) === undefined && !existsSync(folder)) return ok(t('doctor.notNeeded'))
  const existingFolder = nearestFolder(folder)
  if (!mayWrite(existingFolder))
    return fail(
      t('doctor.cannotWriteTo', { folder: existingFolder }),
      t('doctor.changeItsOwnerToTheUser', { folder: existingFolder }),
    )
  if (existingFolder !== folder) return ok(t('doctor.willBeCreatedAtTheFirst', { folder }))
  const mode = statSync(folder).mode & 0o777
  const text = t('doctor.mode', { folder, mode: mode.toString(8) })
  if (isPosix() && mode & OTHERS_WRITE)
    return warn(t('doctor.writableByEveryone', { path: text }), `chmod o-w ${folder}`)
  return ok(text)
}

export function checkSecret({ t }: Texts, { secret, dataFolder }: Config): Finding {
  const { ok, warn } = findings('secret')
  if (secret !== undefined) return ok(t('doctor.tollgateSecretIsSet'))
  const file = secretFile({ dataFolder })
  if (!existsSync(file)) return ok(t('doctor.willBeCreatedWithANew', { file }))
  const mode = statSync(file).mode & 0o777
  const text = t('doctor.mode', { folder: file, mode: mode.toString(8) })
  if (isPosix() && mode & OTHERS) return warn(t('doctor.readableByOthers', { path: text }), `chmod 600 ${file}`)
  return ok(t('doctor.keepACopyOfIt', { origin: text }))
}

export function checkDisk({ t }: Texts, { dataFolder }: Config): Finding {
  const { ok, warn, fail } = findings('disk')
  const folder = nearestFolder(resolve(dataFolder))
  const { bavail, bsize } = statfsSync(folder)
  const free = bavail * bsize
  const text = t('doctor.mbFreeAt', { megabytes: Math.floor(free / MEGABYTE), folder })
  const fix = t('doctor.freeDiskSpace')
  if (free < DISK_FULL) return fail(text, fix)
  return free < DISK_LOW ? warn(text, fix) : ok(text)
}

/** Checks that the clock is not far in the past. `checkLogTimes` detects smaller errors by the newest log row. */
export function checkClock({ t }: Texts, nowMs: number): Finding {
  const { ok, fail } = findings('clock')
  const text = new Date(nowMs).toISOString()
  return nowMs < CLOCK_MIN_MS
    ? fail(t('doctor.isInThePast', { time: text }), t('doctor.correctTheClockOfThisMachine'))
    : ok(text)
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

const isPosix = () => process.platform !== 'win32'

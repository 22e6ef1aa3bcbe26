import { link, open, readFile, rename, rm, stat } from 'node:fs/promises'
import { setTimeout as wait } from 'node:timers/promises'
import { errorCode } from '../../core/error-parts.ts'

const WAIT_MS = 30
/** Age from which a lock is stale. Work under a lock takes milliseconds, so the holder of a stale lock has died. */
const STALE_MS = 5_000
/** Maximum wait for a lock. The wait is longer than the time until an abandoned lock becomes stale. */
const MAX_WAIT_MS = 2 * STALE_MS

/** Error for a lock that another process has held until the timeout. */
export class LockHeldError extends Error {
  override readonly name = 'LockHeldError'
  constructor(
    /** Process id of the holder, or `?`. */
    readonly holder: string,
    readonly lock: string,
    options?: ErrorOptions,
  ) {
    super(`held by ${holder}`, options)
  }
}

/**
 * Runs the work under a lock file shared with other processes. Takes over stale locks. Throws LockHeldError after
 * `maxWaitMs`.
 */
export async function withLock<T>(
  lock: string,
  work: () => Promise<T>,
  { maxWaitMs = MAX_WAIT_MS }: { maxWaitMs?: number } = {},
): Promise<T> {
  const ownIdentity = await acquireLock(lock, maxWaitMs)
  try {
    return await work()
  } finally {
    // Remove the lock only if this process still owns it.
    if ((await identityOf(lock)) === ownIdentity) await rm(lock, { force: true })
  }
}

async function acquireLock(lock: string, maxWaitMs: number): Promise<string> {
  const startedAt = Date.now()
  for (;;) {
    try {
      const file = await open(lock, 'wx', 0o600)
      try {
        await file.writeFile(String(process.pid))
        return identity(await file.stat())
      } finally {
        await file.close()
      }
    } catch (cause) {
      if (errorCode(cause) !== 'EEXIST') throw cause
      const lockFile = await stat(lock).catch(() => undefined)
      if (lockFile && Date.now() - lockFile.mtimeMs > STALE_MS) await removeStaleLock(lock, identity(lockFile))
      else if (Date.now() - startedAt > maxWaitMs) throw new LockHeldError(await holderOf(lock), lock, { cause })
      else if (lockFile) await wait(WAIT_MS)
    }
  }
}

/**
 * Removes a stale lock. If another process has replaced the stale lock meanwhile, puts the new lock back.
 */
async function removeStaleLock(lock: string, stale: string): Promise<void> {
  const movedLock = `${lock}.${process.pid}.${Math.random().toString(36).slice(2)}`
  try {
    await rename(lock, movedLock)
  } catch {
    return
  }
  if ((await identityOf(movedLock)) !== stale) await link(movedLock, lock).catch(() => undefined)
  await rm(movedLock, { recursive: true, force: true })
}

async function holderOf(lock: string): Promise<string> {
  const owner = (await readFile(lock, 'utf8').catch(() => '')).trim()
  return /^\d{1,10}$/.test(owner) ? owner : '?'
}

/** Returns a text that distinguishes files with the same name. A hard link has the identity of its file. */
const identity = ({ ino, birthtimeMs }: { ino: number; birthtimeMs: number }): string => `${ino}.${birthtimeMs}`

const identityOf = (path: string): Promise<string | undefined> => stat(path).then(identity, () => undefined)

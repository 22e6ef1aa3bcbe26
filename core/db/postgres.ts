import knex, { type Knex } from 'knex'
import pg from 'pg'
import { CHANGES_CHANNEL } from '../changes/changes.ts'
import { GatewayError } from '../errors.ts'
import { type Database, QUIET } from './database.ts'

const POLL_MS = 1000
const RETRIES = 5
const SERIALIZATION_FAILURE = '40001'
const DEADLOCK_DETECTED = '40P01'
const INT8 = 20
const NUMERIC = 1700

/** bigint columns and sums arrive as numbers: quota stays below 2^53, which the services check. */
const types = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
    oid === INT8 || oid === NUMERIC
      ? Number
      : pg.types.getTypeParser(oid, format as 'text')) as typeof pg.types.getTypeParser,
}

export async function openPostgres(url: string): Promise<Database> {
  const name = url.replace(/:[^:@/]*@/, ':***@')
  const connection = { connectionString: url, types } as Knex.PgConnectionConfig
  const db = knex({ client: 'pg', connection, pool: { min: 0, max: 10 }, ...QUIET })
  try {
    await db.raw('SELECT 1')
  } catch (cause) {
    await db.destroy()
    throw new GatewayError('DATABASE_UNREACHABLE', { database: name, reason: (cause as Error).message }, { cause })
  }
  return {
    kind: 'postgres',
    name,
    reader: db,
    transaction: (work) => retrying(() => db.transaction(work)),
    async alone(trx, decision) {
      await trx.raw('SELECT pg_advisory_xact_lock(hashtext(?))', [decision])
    },
    async watch(onCommit) {
      const client = new pg.Client({ connectionString: url })
      // Losing this connection only costs speed: the poll goes on.
      client.on('error', () => {})
      client.on('notification', onCommit)
      await client.connect()
      await client.query(`LISTEN ${CHANGES_CHANNEL}`)
      const timer = setInterval(onCommit, POLL_MS).unref()
      return async () => {
        clearInterval(timer)
        await client.end().catch(() => {}) // Already gone is as good as closed.
      }
    },
    close: () => db.destroy(),
  }
}

async function retrying<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work()
    } catch (error) {
      const { code } = error as { code?: string }
      if ((code !== SERIALIZATION_FAILURE && code !== DEADLOCK_DETECTED) || attempt > RETRIES) throw error
    }
  }
}

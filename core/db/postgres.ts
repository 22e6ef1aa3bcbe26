import knex, { type Knex } from 'knex'
import pg from 'pg'
import { CHANGES_CHANNEL } from '../changes/changes.ts'
import { errorCode, errorMessage, errorProperty } from '../error-parts.ts'
import { GatewayError } from '../errors.ts'
import { type Database, NO_LOGGING, type OpenOptions } from './database.ts'
import { endConnection, whileServerWorks } from './postgres-liveness.ts'
import {
  findOutcome,
  isOutcomeOpen,
  isStaleConnection,
  type Outcomes,
  outcomeClient,
  runStatement,
  type TransactionOutcome,
  withoutLimit,
} from './postgres-transactions.ts'
import { repairSequences } from './sequences.ts'
import { markDriverError, markDriverErrors } from './unavailable.ts'
import { withoutPassword } from './without-password.ts'

const POLL_MS = 1000
/** Number of polls between two checks of the listening connection. */
const PING_EVERY = 5
const PING_MS = 4000
const POOL_MAX = 10
const RETRIES = 5
const SERIALIZATION_FAILURE = '40001'
const DEADLOCK_DETECTED = '40P01'
const UNIQUE_VIOLATION = '23505'
/** data_corrupted, index_corrupted */
const DAMAGE = new Set(['XX001', 'XX002'])
const INT8 = 20
const NUMERIC = 1700

/**
 * A database that does not reply is detected within ten seconds, even if no packet returns. The server's timeouts are
 * shorter than this client's. So no statement continues after this client has given up.
 */
const TIMEOUTS = {
  connectionTimeoutMillis: 5_000,
  lock_timeout: 8_000,
  statement_timeout: 9_000,
  query_timeout: 10_000,
  idle_in_transaction_session_timeout: 20_000,
  keepAlive: true,
  keepAliveInitialDelayMillis: 10_000,
}
/** Timeouts of reads. They are longer, because reports and exports take long and hold no locks that relays wait for. */
const READ_TIMEOUTS = { ...TIMEOUTS, statement_timeout: 120_000, query_timeout: 125_000 }

/** Parses bigint and numeric columns as numbers. This is exact, because the code limits quota to less than 2^53. */
const types = {
  getTypeParser: (oid: number, format: string) =>
    oid === INT8 || oid === NUMERIC ? Number : pg.types.getTypeParser(oid, format === 'binary' ? format : 'text'),
}

interface PoolOptions {
  outcomes: Outcomes
  timeouts: typeof TIMEOUTS
  max: number
  /** Whether `whileServerWorks` monitors queries, which may then take long. */
  isWatched: boolean
  onTimeline: (timeline: string) => void
}

/** Opens a pool. While the database is down, statements fail immediately. Each new statement tries to connect again. */
function openPool(url: string, { outcomes, timeouts, max, isWatched, onTimeline }: PoolOptions): Knex {
  const connection = { connectionString: url, types, ...timeouts }
  const client = outcomeClient({
    outcomes,
    queryTimeoutMs: timeouts.query_timeout,
    onTimeline,
    ...(isWatched && { watch: (connection, query) => whileServerWorks(url, connection, query) }),
  })
  return knex({ client, connection, acquireConnectionTimeout: 10_000, pool: { min: 0, max }, ...NO_LOGGING })
}

const CONNECT_TRIES = 3
const CONNECT_PAUSE_MS = 300
/** Errors of a new connection that the server or a proxy closed. A retry may succeed. */
const CONNECTION_CLOSED = /ECONNRESET|EPIPE|connection terminated|the database system is starting up/i

async function connectFirst(pool: Knex, tries = CONNECT_TRIES): Promise<void> {
  try {
    await pool.raw('SELECT 1')
  } catch (error) {
    if (tries <= 1 || !CONNECTION_CLOSED.test(String(error))) throw error
    await new Promise((resolve) => setTimeout(resolve, CONNECT_PAUSE_MS))
    await connectFirst(pool, tries - 1)
  }
}

/** https://www.postgresql.org/docs/current/errcodes-appendix.html */
const NO_DATABASE = '3D000'

export async function openPostgres(url: string, { onFatal = () => {} }: OpenOptions = {}): Promise<Database> {
  const name = withoutPassword(url)
  const outcomes: Outcomes = new WeakMap()
  const { onTimeline, onFailover } = watchTimelines()
  const writer = openPool(url, { outcomes, timeouts: TIMEOUTS, max: POOL_MAX, isWatched: false, onTimeline })
  const reader = openPool(url, { outcomes, timeouts: READ_TIMEOUTS, max: 6, isWatched: true, onTimeline })
  try {
    await connectFirst(reader)
  } catch (cause) {
    await Promise.all([writer.destroy(), reader.destroy()])
    const setting = errorCode(cause) === NO_DATABASE ? 'DATABASE_URL' : undefined
    throw new GatewayError('DATABASE_UNREACHABLE', { database: name, reason: errorMessage(cause), setting }, { cause })
  }

  let isDamaged = false
  // Report damage as fatal at the first error, because retries cannot repair a table.
  for (const pool of [writer, reader]) {
    markDriverErrors(pool)
    pool.on('query-error', (error: { code?: string; message: string }) => {
      if (isDamaged || !DAMAGE.has(error.code ?? '')) return
      isDamaged = true
      onFatal(new GatewayError('DATABASE_DAMAGED', { file: name, reason: error.message }, { cause: error }))
    })
  }

  /** Runs the work in one transaction. If the reply to COMMIT is lost, queries the server for the outcome. */
  async function transact<T>(work: (trx: Knex.Transaction) => Promise<T>, attempt = 1): Promise<T> {
    const outcome: TransactionOutcome = {}
    let done: { result: T } | undefined
    // Each run needs a new function, because it is the key in `outcomes` and runs can be concurrent.
    const run = async (trx: Knex.Transaction): Promise<T> => {
      done = { result: await work(trx) }
      return done.result
    }
    outcomes.set(run, outcome)
    try {
      return await writer.transaction(run)
    } catch (error) {
      if (outcome.xid === undefined || outcome.isCommitting) markDriverError(error)
      if (isStaleConnection(error, outcome) && attempt <= POOL_MAX) return transact(work, attempt + 1)
      if (done && isOutcomeOpen(error, outcome) && (await findOutcome(url, outcome)) === 'committed') return done.result
      throw error
    }
  }

  const database: Database = {
    kind: 'postgres',
    name,
    reader,
    pools: { writer, reader },
    transaction: (work) => withRetries(() => transact(work), database),
    snapshot: (work) => reader.transaction(work, { isolationLevel: 'repeatable read', readOnly: true }),
    async serialize(trx, decision) {
      await trx.raw('SELECT pg_advisory_xact_lock(hashtext(?))', [decision])
    },
    withoutTimeouts: withoutLimit,
    statement: (statement) => runStatement(writer, statement, TIMEOUTS.query_timeout),
    watch: (onCommit) => listen(url, onCommit),
    onFailover,
    async close() {
      await Promise.all([writer.destroy(), reader.destroy()])
    },
  }
  return database
}

/** Detects a failover by the server's timeline, because a promoted replica begins a later timeline. */
function watchTimelines() {
  const listeners: (() => void)[] = []
  let latest: string | undefined
  return {
    onTimeline(timeline: string): void {
      const before = latest
      // The server before the failover may still reply with the earlier timeline.
      if (before === undefined || timeline > before) latest = timeline
      if (before !== undefined && timeline > before) for (const listener of listeners) listener()
    },
    onFailover: (listener: () => void): void => void listeners.push(listener),
  }
}

/** Listens for notifications, and reconnects after failures. Polls too, because notifications may be lost meanwhile. */
async function listen(url: string, onCommit: () => void): Promise<() => Promise<void>> {
  let client: pg.Client | undefined
  let connecting: Promise<void> | undefined
  let stopped = false
  let turns = 0
  async function connect(): Promise<void> {
    const next = new pg.Client({ connectionString: url, ...TIMEOUTS, query_timeout: PING_MS })
    const onEnd = () => {
      if (client === next) client = undefined
    }
    next.on('error', onEnd)
    next.on('end', onEnd)
    next.on('notification', onCommit)
    try {
      await next.connect()
      await next.query(`LISTEN ${CHANGES_CHANNEL}`)
      client = next
    } catch (error) {
      void endConnection(next)
      throw error
    }
  }
  /** Checks the listening connection, because a dead connection reports neither notifications nor errors. */
  function ping(listening: pg.Client): void {
    listening.query('SELECT 1').catch(() => {
      if (client === listening) client = undefined
      void endConnection(listening)
    })
  }
  await connect()
  const timer = setInterval(() => {
    onCommit()
    if (client && ++turns % PING_EVERY === 0) ping(client)
    if (client || connecting || stopped) return
    connecting = connect()
      .catch(() => {}) // The next poll reconnects.
      .finally(() => {
        connecting = undefined
      })
  }, POLL_MS).unref()
  return async () => {
    stopped = true
    clearInterval(timer)
    await connecting
    if (client) await endConnection(client)
  }
}

/**
 * Runs work and retries it after deadlocks and serialization failures. If an id is taken because a sequence is behind
 * its table, repairs the sequence and retries once.
 */
async function withRetries<T>(work: () => Promise<T>, db: Database): Promise<T> {
  let isRepaired = false
  for (let attempt = 1; ; attempt++) {
    try {
      return await work()
    } catch (error) {
      const code = errorCode(error)
      const isPrimaryKey = String(errorProperty(error, 'constraint')).endsWith('_pkey')
      if (code === UNIQUE_VIOLATION && isPrimaryKey && !isRepaired) {
        isRepaired = true
        if ((await repairSequences(db)).length > 0) continue
      }
      if ((code !== SERIALIZATION_FAILURE && code !== DEADLOCK_DETECTED) || attempt > RETRIES) throw error
    }
  }
}

import knex from 'knex'
import { request } from 'undici'
import { median, show } from '../figures.js'
import { setUp, startGateway } from '../gateway.js'
import { CHAT_BODY, stopAll } from './chat.js'
import { signIn } from './logs.js'
import { startLoad, startUpstream } from './sides.js'

const ROWS_DEFAULT = 2_000_000
const USERS = 100_000
const ROWS_PER_BATCH = 100_000
const DAYS = 30
const CLEARED = ROWS_DEFAULT / 2
const RUNS = 5
const CONNECTIONS = 8
/** Duration of one measurement of relays. The figure is the median of several, with and without a clear. */
const CALM_SECONDS = 10
const CALM_PARTS = 3
/** Maximum duration of a clear. */
const CLEAR_SECONDS = 120
const DAY_S = 86_400
const FIRST_USER = 1_000

/** Number of consecutive requests with the same user and model. */
const IN_A_ROW = 20

/** SQL of the columns of `logs` in row `i`, for both databases. */
const LOG = {
  user_id: `${FIRST_USER} + i / ${IN_A_ROW} % ${USERS}`,
  created_at: `:newest - ((:rows - i) * :days * ${DAY_S}) / :rows`,
  type: '2',
  content: `'model ratio 1.00, group ratio 1.00'`,
  username: `'scale' || (i / ${IN_A_ROW} % ${USERS})`,
  token_name: `'token' || (i % 200)`,
  model_name: `'model-' || (i / ${IN_A_ROW} % 12)`,
  quota: '100 + i % 9000',
  prompt_tokens: '20 + i % 4000',
  completion_tokens: '10 + i % 900',
  use_time: '1 + i % 30',
  is_stream: 'i % 2 = 1',
  channel_id: '1 + i % 8',
  token_id: '1 + i % 200',
  '"group"': `'default'`,
  request_id: `'scale-' || i`,
}
const USER = { id: `${FIRST_USER} + i`, username: `'scale' || i`, password: `''`, aff_code: `'scale' || i` }

/**
 * Measures a log of millions of rows of 100 000 users: pages, sums, the dashboard, and relays while a million rows are
 * cleared. Uses SQLite, and also the empty PostgreSQL database of BENCH_POSTGRES_URL, or only that of `database`.
 *
 * @param {import('./sides.js').Bench} bench
 * @param {{ rows?: number, database?: string }} options
 */
export async function measureScale(bench, { rows = ROWS_DEFAULT, database }) {
  if (!database) await measureOn(bench, { name: 'SQLite', rows })
  const url = database ?? process.env.BENCH_POSTGRES_URL
  if (url) await measureOn(bench, { name: 'PostgreSQL', rows, url })
  else bench.note('PostgreSQL was not measured: set BENCH_POSTGRES_URL to an empty database')
}

/** @param {import('./sides.js').Bench} bench @param {{ name: string, rows: number, url?: string }} database */
async function measureOn(bench, { name, rows, url }) {
  const upstream = await startUpstream(bench)
  const gateway = await startGateway(bench, { env: url ? { DATABASE_URL: url } : {} })
  const key = await setUp(gateway, upstream)
  await gateway.stop()
  bench.say(`${name}: writing ${rows} log rows`)
  const db = url
    ? knex({ client: 'pg', connection: url })
    : knex({ client: 'sqlite3', connection: { filename: gateway.databaseFile }, useNullAsDefault: true })
  const newest = Math.floor(Date.now() / 1_000)
  // Keep the number of rows per day constant.
  const days = Math.ceil((rows / ROWS_DEFAULT) * DAYS)
  try {
    await fill(db, { rows, days, newest })
  } finally {
    await db.destroy()
  }
  await gateway.restart()
  await measureQueries(bench, { name, gateway, newest })

  const load = await startLoad(bench, 'chat-load')
  await relays(load, { url: gateway.url, key, seconds: 2 })
  const calmParts = []
  for (let part = 0; part < CALM_PARTS; part++) {
    calmParts.push(await relays(load, { url: gateway.url, key, seconds: CALM_SECONDS }))
  }
  const calm = middle(calmParts)
  bench.say(`${name}: clearing ${CLEARED} rows`)
  const startedAt = performance.now()
  let isClearing = true
  const clearing = gateway
    .command(['log', 'clear', '--before', `${days - DAYS / 2}d`, '--yes'], {}, CLEAR_SECONDS * 5_000)
    .finally(() => {
      isClearing = false
    })
  const parts = []
  while (isClearing) {
    const part = await relays(load, { url: gateway.url, key, seconds: CALM_SECONDS })
    // Ignore measurements after the clear, which would hide its effect.
    if (isClearing || parts.length === 0) parts.push(part)
  }
  await clearing
  const clearMs = performance.now() - startedAt
  const during = middle(parts)
  const failures = [...calmParts, ...parts].reduce((sum, part) => sum + part.failures, 0)
  if (failures) bench.problem(`${name}: ${failures} relays failed`)
  bench.row({ what: `${name}, clear of ${CLEARED} rows`, gateway: show(clearMs / 1_000, 's'), budget: '≤ 120 s' })
  for (const figure of /** @type {const} */ (['p50Ms', 'p99Ms'])) {
    bench.row({
      what: `${name}, ${figure.slice(0, 3)} of relays: calm, while clearing`,
      gateway: `${show(calm[figure], 'ms')}, ${show(during[figure], 'ms')}`,
      ...(figure === 'p99Ms' && { budget: '≤ 2 times' }),
    })
  }
  bench.keep(`${name}, clear`, { clearMs, calm, during, calmParts, parts })
  await gateway.stop()
  await stopAll([load, upstream])
}

/** @param {{ p50Ms: number, p99Ms: number }[]} parts */
const middle = (parts) => ({
  p50Ms: median(parts.map(({ p50Ms }) => p50Ms)),
  p99Ms: median(parts.map(({ p99Ms }) => p99Ms)),
})

/** @param {import('../processes.js').Asked} load @param {{ url: string, key: string, seconds: number }} options */
async function relays(load, { url, key, seconds }) {
  /** @type {{ p50Ms: number, p99Ms: number, failures: number }} */
  const figures = await load.ask(
    'run',
    { url, key, seconds, body: CHAT_BODY, connections: CONNECTIONS },
    (seconds + 60) * 1_000,
  )
  return figures
}

/**
 * @param {import('./sides.js').Bench} bench
 * @param {{ name: string, gateway: import('../gateway.js').Gateway, newest: number }} measured
 */
async function measureQueries(bench, { name, gateway, newest }) {
  const headers = await signIn(gateway)
  const month = `start_timestamp=${newest - DAYS * DAY_S}&end_timestamp=${newest}`
  for (const { what, path, budget } of [
    { what: 'first page', path: '/api/log/?p=1&page_size=10', budget: '≤ 50 ms' },
    { what: 'page 5 000', path: '/api/log/?p=5000&page_size=10', budget: '≤ 300 ms' },
    { what: 'logs by token name', path: '/api/log/?p=1&page_size=10&token_name=token5', budget: '≤ 300 ms' },
    { what: 'sums of all', path: '/api/log/stat', budget: '≤ 300 ms' },
    { what: 'sums of a model', path: '/api/log/stat?model_name=model-3', budget: '≤ 300 ms' },
    { what: 'sums of a token name', path: '/api/log/stat?token_name=token5', budget: '≤ 300 ms' },
    { what: 'dashboard of 30 days', path: `/api/data/?${month}`, budget: '≤ 300 ms' },
  ]) {
    try {
      const { first, ms } = await timesOf(gateway.url + path, headers)
      bench.row({ what: `${name}, ${what}: first, then`, gateway: `${show(first, 'ms')}, ${show(ms, 'ms')}`, budget })
      bench.keep(`${name}, ${what}`, { first, ms })
    } catch (error) {
      bench.problem(`${name}, ${what}: ${error}`)
    }
  }
}

/** Returns the time of the first call, and the median of the following calls. @param {string} url @param {Record<string, string>} headers */
async function timesOf(url, headers) {
  const times = []
  for (let count = 0; count <= RUNS; count++) {
    const startedAt = performance.now()
    const { statusCode, body } = await request(url, { headers, headersTimeout: 120_000 })
    const answer = /** @type {any} */ (await body.json())
    if (statusCode !== 200 || !answer.success) throw new Error(`${statusCode} ${answer.message}`)
    times.push(performance.now() - startedAt)
  }
  return { first: times[0] ?? 0, ms: median(times.slice(1)) }
}

/** Inserts users, log rows, and the counts that the gateway derives from the rows. @param {import('knex').Knex} db @param {{ rows: number, days: number, newest: number }} filling */
async function fill(db, { rows, days, newest }) {
  await insert(db, { table: 'users', columns: USER, rows: USERS, days, newest })
  if (db.client.dialect === 'postgresql') await createMonths(db, newest - days * DAY_S)
  await insert(db, { table: 'logs', columns: LOG, rows, days, newest })
  await db.raw(`INSERT INTO quota_data (user_id, username, model_name, created_at, count, quota, token_used)
    SELECT user_id, username, model_name, hour, COUNT(*), SUM(quota), SUM(prompt_tokens + completion_tokens)
    FROM (SELECT logs.*, created_at - created_at % 3600 AS hour FROM logs WHERE request_id LIKE 'scale-%') counted
    GROUP BY user_id, username, model_name, hour`)
  if (await db.schema.hasTable('model_hours')) {
    await db.raw(`INSERT INTO model_hours (created_at, model_name, count, quota, token_used)
      SELECT created_at - created_at % 3600 AS hour, model_name, COUNT(*), SUM(quota), SUM(prompt_tokens + completion_tokens)
      FROM logs WHERE request_id LIKE 'scale-%' GROUP BY 1, model_name`)
  }
  await db.raw('ANALYZE')
}

/** Creates the partitions of a log whose oldest row has the time `since`. @param {import('knex').Knex} db @param {number} since */
async function createMonths(db, since) {
  const first = new Date(since * 1_000)
  const now = new Date()
  const count = (now.getUTCFullYear() - first.getUTCFullYear()) * 12 + now.getUTCMonth() - first.getUTCMonth()
  for (let month = 0; month < count; month++) {
    const start = Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + month) / 1_000
    const end = Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + month + 1) / 1_000
    const name = `logs_${new Date(start * 1_000).toISOString().slice(0, 7).replace('-', '_')}`
    await db.raw(`CREATE TABLE ${name} (LIKE logs_rest INCLUDING ALL)`)
    await db.raw(`ALTER TABLE logs ATTACH PARTITION ${name} FOR VALUES FROM (${start}) TO (${end})`)
  }
}

/** @param {import('knex').Knex} db @param {{ table: string, columns: Record<string, string>, rows: number, days: number, newest: number }} filling */
async function insert(db, { table, columns, rows, days, newest }) {
  for (let first = 1; first <= rows; first += ROWS_PER_BATCH) {
    const last = Math.min(rows, first + ROWS_PER_BATCH - 1)
    await db.raw(
      `WITH RECURSIVE places(i) AS (SELECT CAST(:first AS bigint) UNION ALL SELECT i + 1 FROM places WHERE i < :last)
       INSERT INTO ${table} (${Object.keys(columns).join(', ')}) SELECT ${Object.values(columns).join(', ')} FROM places`,
      // Knex accepts parameters that a statement does not use.
      { first, last, rows, days, newest },
    )
  }
}

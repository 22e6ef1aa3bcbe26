import sqlite3 from 'sqlite3'
import { request } from 'undici'
import { median, show } from '../figures.js'
import { startGateway } from '../gateway.js'
import { medianMs } from './command-line.js'

/** @typedef {import('../gateway.js').Gateway} Gateway */

const ROWS = 1_000_000
const ROWS_PER_BATCH = 100_000
const DAYS = 30
const RUNS = 5

/** SQL of the value of each documented column of `logs` in row `i`. Other required columns get the simplest value. */
const VALUES = {
  user_id: '1 + i % 50',
  created_at: `:newest - ((:rows - i) * ${DAYS} * 86400) / :rows`,
  type: 'CASE WHEN i % 50 = 0 THEN 1 + i % 4 ELSE 2 END',
  content: `'model ratio 1.00, group ratio 1.00'`,
  username: `'user' || (1 + i % 50)`,
  token_name: `'token' || (i % 200)`,
  model_name: `'model-' || (i % 12)`,
  quota: '100 + i % 9000',
  prompt_tokens: '20 + i % 4000',
  completion_tokens: '10 + i % 900',
  use_time: '1 + i % 30',
  is_stream: 'i % 2',
  channel_id: '1 + i % 8',
  token_id: '1 + i % 200',
  group: `'default'`,
  other: `'{"model_ratio":1,"group_ratio":1,"completion_ratio":1}'`,
}

/** Measures a log of a million rows: first page, sums and searches over REST, and the list by the command line. @param {import('./sides.js').Bench} bench */
export async function measureLogs(bench) {
  const gateway = await startGateway(bench)
  await gateway.stop()
  bench.say(`writing ${ROWS} log rows`)
  await fillLogs(gateway.databaseFile, ROWS)
  await gateway.restart()
  const headers = await signIn(gateway)
  const key = await makeKey(gateway, headers)

  for (const { what, path, budget } of [
    { what: 'logs, first page', path: '/api/log/?p=1&page_size=10', budget: '≤ 50 ms' },
    { what: 'logs, sums', path: '/api/log/stat', budget: '≤ 300 ms' },
    {
      what: 'logs, sums of a user and model',
      path: '/api/log/stat?username=user7&model_name=model-3',
      budget: '≤ 300 ms',
    },
    { what: 'logs, search of a model', path: '/api/log/?p=1&page_size=10&model_name=model-3', budget: '≤ 300 ms' },
    { what: 'logs, search of a pattern', path: '/api/log/?p=1&page_size=10&model_name=%25el-3', budget: '≤ 300 ms' },
    {
      what: 'logs, search of a user and token',
      path: '/api/log/?p=1&page_size=10&username=user7&token_name=token5',
      budget: '≤ 300 ms',
    },
    { what: 'logs, search by the start of a text', path: '/api/log/search?keyword=model', budget: '≤ 300 ms' },
    { what: 'logs, search for a text that is nowhere', path: '/api/log/search?keyword=nowhere', budget: '≤ 300 ms' },
    { what: 'logs, search for a type', path: '/api/log/search?keyword=3', budget: '≤ 300 ms' },
    { what: 'own logs, first page', path: '/api/log/self?p=1&page_size=10', budget: '≤ 50 ms' },
    { what: 'own logs, sums', path: '/api/log/self/stat', budget: '≤ 300 ms' },
    { what: 'own logs, search for a type', path: '/api/log/self/search?keyword=3', budget: '≤ 300 ms' },
    { what: 'logs of a key', path: `/api/log/token?key=${key}`, budget: '≤ 300 ms' },
  ]) {
    bench.say(what)
    try {
      const ms = await timeOf(gateway.url + path, headers)
      bench.row({ what, gateway: show(ms, 'ms'), budget })
      bench.keep(what, { ms })
    } catch (error) {
      bench.problem(`${what}: ${error}`)
    }
  }
  const listMs = await medianMs(() => gateway.command(['log', 'list', '--json']))
  bench.row({ what: 'logs, tollgate log list --json', gateway: show(listMs, 'ms') })
  bench.keep('logs, tollgate log list --json', { ms: listMs })
  await gateway.stop()
}

/** Writes `count` log rows, the newest at the current time. @param {string} databaseFile created by the gateway, which is not running @param {number} count */
export async function fillLogs(databaseFile, count) {
  const db = new sqlite3.Database(databaseFile)
  try {
    await run(db, 'PRAGMA synchronous = OFF')
    const columns = await columnsOf(db)
    const names = columns.map(({ name }) => `"${name}"`).join(', ')
    const insert = `WITH RECURSIVE rows(i) AS (SELECT :first UNION ALL SELECT i + 1 FROM rows WHERE i < :last)
      INSERT INTO logs (${names}) SELECT ${columns.map(({ value }) => value).join(', ')} FROM rows`
    const newest = Math.floor(Date.now() / 1_000)
    for (let first = 1; first <= count; first += ROWS_PER_BATCH) {
      const last = first + ROWS_PER_BATCH - 1
      await run(db, insert, { ':first': first, ':last': last, ':rows': count, ':newest': newest })
    }
    await run(db, 'PRAGMA wal_checkpoint(TRUNCATE)')
  } finally {
    await new Promise((resolve) => db.close(resolve))
  }
}

/** @param {import('sqlite3').Database} db @returns {Promise<{ name: string, value: string }[]>} */
async function columnsOf(db) {
  /** @type {{ name: string, type: string, notnull: number, dflt_value: string | null, pk: number }[]} */
  const found = await new Promise((resolve, reject) => {
    db.all('PRAGMA table_info(logs)', (error, rows) => (error ? reject(error) : resolve(/** @type {any} */ (rows))))
  })
  /** @type {Record<string, string>} */
  const values = VALUES
  return found.flatMap(({ name, type, notnull, dflt_value, pk }) => {
    const known = values[name]
    if (known) return [{ name, value: known }]
    if (name === 'request_id') return [{ name, value: `'bench-' || i` }]
    return pk || !notnull || dflt_value !== null ? [] : [{ name, value: /CHAR|TEXT/i.test(type) ? `''` : '0' }]
  })
}

/** Runs a statement, which must use all parameters, because SQLite rejects unused ones. @param {import('sqlite3').Database} db @param {string} sql @param {object} [params] @returns {Promise<void>} */
function run(db, sql, params = {}) {
  return new Promise((resolve, reject) => {
    db.run(sql, params, (/** @type {Error | null} */ error) => (error ? reject(error) : resolve()))
  })
}

/** Returns the headers of a session of root. @param {Gateway} gateway */
export async function signIn({ url, rootPassword }) {
  const { statusCode, headers, body } = await request(`${url}/api/user/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username: 'root', password: rootPassword }),
  })
  const answer = /** @type {any} */ (await body.json())
  const cookies = [headers['set-cookie'] ?? []].flat().map((cookie) => cookie.split(';', 1)[0])
  if (!answer.success || !cookies.length) throw new Error(`root could not sign in: ${statusCode} ${answer.message}`)
  return { cookie: cookies.join('; '), 'tollgate-user': String(answer.data.id) }
}

/** Creates a token of root, and returns its key. It is the first token, which already has log rows. @param {Gateway} gateway @param {Record<string, string>} headers */
async function makeKey({ url }, headers) {
  const body = JSON.stringify({ name: 'bench', unlimited_quota: true })
  await request(`${url}/api/token/`, { method: 'POST', headers, body })
  const list = /** @type {any} */ (await (await request(`${url}/api/token/?p=0&size=1`, { headers })).body.json())
  return list.data[0].key
}

/** Returns the median of five calls, after one call that loads the pages of the file into the cache. @param {string} url @param {Record<string, string>} headers */
async function timeOf(url, headers) {
  const times = []
  for (let count = 0; count <= RUNS; count++) {
    const startedAt = performance.now()
    const { statusCode, body } = await request(url, { headers, headersTimeout: 60_000 })
    const answer = /** @type {any} */ (await body.json())
    if (statusCode !== 200 || !answer.success) throw new Error(`${statusCode} ${answer.message}`)
    times.push(performance.now() - startedAt)
  }
  return median(times.slice(1))
}

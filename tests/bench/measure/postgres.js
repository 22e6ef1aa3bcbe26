import pg from 'pg'
import { median, show } from '../figures.js'
import { chat, cpuOfRequest, stopAll } from './chat.js'
import { alternate, compare, startLoad, startUpstream, startYardstick, tryGateway } from './sides.js'

/** @typedef {import('./sides.js').Bench} Bench @typedef {import('./sides.js').Side} Side */

/**
 * Measures chat on PostgreSQL: compared with SQLite over 32 connections, with the yardstick over one connection, and
 * with two gateways on one database.
 *
 * @param {Bench} bench @param {string} server URL of a server on which databases may be created
 */
export async function measurePostgres(bench, server) {
  const database = await createDatabase(server)
  const env = { DATABASE_URL: database.url }
  const upstream = await startUpstream(bench)
  const yardstick = await startYardstick(bench, upstream)
  const sqlite = await tryGateway(bench, upstream)
  const postgres = await tryGateway(bench, upstream, { env })
  const load = await startLoad(bench, 'chat-load')
  try {
    const rates = await alternate(bench, [sqlite, postgres], (side, seconds) => chat(bench, load, side, seconds))
    compare(bench, 'PostgreSQL (right) to SQLite (left), requests/s', rates, (one) => one.perSecond, {
      budget: '≥ 0.75',
    })
    compare(bench, 'PostgreSQL to SQLite, p50', rates, (one) => one.p50Ms, { unit: 'ms' })
    compare(bench, 'PostgreSQL to SQLite, CPU of a request', rates, cpuOfRequest, { unit: 'µs', budget: '≤ 1.40' })

    const alone = await alternate(bench, [yardstick, sqlite, postgres], (side, seconds) =>
      chat(bench, load, side, seconds, { connections: 1 }),
    )
    const [bare = [], ofSqlite = [], ofPostgres = []] = alone.map((rounds) => rounds.map(({ p50Ms }) => p50Ms))
    for (const [name, side, budget] of /** @type {const} */ ([
      ['SQLite', ofSqlite, undefined],
      ['PostgreSQL', ofPostgres, '≤ 2 ms more'],
    ])) {
      const more = side.length && bare.length ? median(side) - median(bare) : undefined
      bench.row({
        what: `one connection on ${name}, p50`,
        yardstick: show(median(bare), 'ms'),
        gateway: show(median(side), 'ms'),
        ratio: `+${show(more, 'ms')}`,
        ...(budget && { budget }),
      })
    }
    await measureTwo(bench, { upstream, postgres, env, load })
    bench.keep('postgres', { rates, alone })
  } finally {
    await stopAll([load, upstream, yardstick, sqlite, postgres])
    await database.drop()
  }
}

/**
 * Compares two gateways on one database with one gateway.
 *
 * @param {Bench} bench
 * @param {{ upstream: { url: string, pacedUrl: string, messagesUrl: string }, postgres: Side | undefined, env: object,
 *   load: import('../processes.js').Asked }} parts
 */
async function measureTwo(bench, { upstream, postgres, env, load }) {
  if (!postgres) return
  const second = await tryGateway(bench, upstream, { env, key: postgres.key })
  const secondLoad = await startLoad(bench, 'chat-load')
  if (!second) return
  const both = { ...postgres, name: 'two gateways' }
  const figures = await alternate(bench, [postgres, both], async (side, seconds) => {
    if (side !== both) return chat(bench, load, side, seconds)
    const [one, other] = await Promise.all([
      chat(bench, load, postgres, seconds, { connections: 16 }),
      chat(bench, secondLoad, second, seconds, { connections: 16 }),
    ])
    return { ...one, perSecond: one.perSecond + other.perSecond }
  })
  compare(bench, 'two gateways (right) to one (left), requests/s', figures, (one) => one.perSecond)
  compare(bench, 'two gateways to one, CPU of a request in the first', figures, cpuOfRequest, { unit: 'µs' })
  await stopAll([second, secondLoad])
}

/** Creates a database for this run. @param {string} server */
async function createDatabase(server) {
  const name = `tollgate_bench_${process.pid}`
  const run = async (/** @type {string} */ statement) => {
    const client = new pg.Client({ connectionString: server })
    await client.connect()
    await client.query(statement).finally(() => client.end())
  }
  await run(`CREATE DATABASE ${name}`)
  const url = new URL(server)
  url.pathname = `/${name}`
  return { url: url.href, drop: () => run(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`) }
}

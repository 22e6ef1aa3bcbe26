import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { request } from 'undici'
import { median, show } from '../figures.js'
import { startGateway } from '../gateway.js'
import { fillLogs, signIn } from './logs.js'

const LOG_ROWS = 100_000
const CHANNELS = 5_000
const ROUTES_CHANNELS = 60
const USERS = 300
const VITEST = fileURLToPath(new URL('../../../node_modules/vitest/vitest.mjs', import.meta.url))
const CONFIG = fileURLToPath(new URL('../console/vitest.config.ts', import.meta.url))
const YARDSTICK = 'an empty page'
/** @type {Record<string, string>} */
const BUDGETS = { 'login page until one can type': '≤ 1 000 ms' }
/** @type {Record<string, string>} */
const BYTES_BUDGETS = { '/token': '≤ 250 kB', '/detail': '≤ 350 kB' }
const LIST_BUDGET = '≤ 300 ms'

/** Measures the console in a browser: the login page, and lists of 100 000 logs and 5 000 channels. @param {import('./sides.js').Bench} bench */
export async function measureConsole(bench) {
  const gateway = await startGateway(bench, {
    env: { GLOBAL_API_RATE_LIMIT_ENABLE: 'false', GLOBAL_WEB_RATE_LIMIT_ENABLE: 'false' },
  })
  await gateway.stop()
  bench.say(`writing ${LOG_ROWS} log rows and ${CHANNELS} channels`)
  await fillLogs(gateway.databaseFile, LOG_ROWS)
  await gateway.restart()
  await addChannels(gateway, CHANNELS)
  bench.say('a browser')
  /** @type {Record<string, number[]>} */
  const figures = await inBrowser(bench, gateway, 'screens')
  const yardstick = median(figures[YARDSTICK] ?? [])
  for (const [what, times] of Object.entries(figures)) {
    const ms = median(times)
    bench.keep(`console, ${what}`, { ms, times })
    if (what === YARDSTICK) continue
    bench.row({
      what: `console, ${what}`,
      yardstick: show(yardstick, 'ms'),
      gateway: show(ms, 'ms'),
      ratio: show(ms / yardstick),
      budget: BUDGETS[what] ?? LIST_BUDGET,
    })
  }
  await gateway.stop()
  await measureRoutes(bench)
}

/** Measures the main routes at their first visit, on a gateway of common size. @param {import('./sides.js').Bench} bench */
async function measureRoutes(bench) {
  const gateway = await startGateway(bench, {
    env: { GLOBAL_API_RATE_LIMIT_ENABLE: 'false', GLOBAL_WEB_RATE_LIMIT_ENABLE: 'false' },
  })
  await gateway.stop()
  await fillLogs(gateway.databaseFile, LOG_ROWS)
  await gateway.restart()
  await addChannels(gateway, ROUTES_CHANNELS)
  await addUsers(gateway)
  bench.say('the main routes in a browser')
  /** @type {Record<string, Record<string, number>[]>} */
  const figures = await inBrowser(bench, gateway, 'routes')
  for (const [route, rounds] of Object.entries(figures)) {
    bench.keep(`console, ${route}`, { rounds })
    const of = (/** @type {string} */ name) => median(rounds.map((round) => round[name] ?? Number.NaN))
    const times = `FCP ${show(of('fcp'))}, LCP ${show(of('lcp'))}, longest task ${show(of('longestTask'), 'ms')}`
    bench.row({
      what: `console, ${route}: ${of('requests')} requests, CLS ${show(of('cls'))}, ${times}`,
      gateway: show(of('bytes') / 1_000, 'kB'),
      budget: BYTES_BUDGETS[route] ?? '',
    })
  }
  await gateway.stop()
}

/** Runs one file of `tests/bench/console`, and returns the figures that it has written. @param {import('./sides.js').Bench} bench @param {import('../gateway.js').Gateway} gateway @param {string} file */
async function inBrowser(bench, gateway, file) {
  const output = join(bench.folder, `console-${file}.json`)
  const { child, tail } = bench.processes.start([VITEST, 'run', '--config', CONFIG, `${file}.ts`], {
    env: { CONSOLE_BENCH_URL: gateway.url, CONSOLE_BENCH_PASSWORD: gateway.rootPassword, CONSOLE_BENCH_OUTPUT: output },
  })
  const [code] = await once(child, 'close')
  if (code !== 0) throw new Error(`the browser's part ended with ${code}: ${tail()}`)
  return JSON.parse(await readFile(output, 'utf8'))
}

/** @param {import('../gateway.js').Gateway} gateway */
async function addUsers(gateway) {
  const headers = { ...(await signIn(gateway)), 'content-type': 'application/json' }
  for (let place = 0; place < USERS; place++) {
    const body = JSON.stringify({ username: `bench${place}`, password: `bench-password-${place}`, display_name: '' })
    const answer = await request(`${gateway.url}/api/user/`, { method: 'POST', headers, body })
    const said = /** @type {any} */ (await answer.body.json())
    if (!said.success) throw new Error(`users were not made: ${said.message}`)
  }
}

/** Creates one channel for each key. @param {import('../gateway.js').Gateway} gateway @param {number} count */
async function addChannels(gateway, count) {
  const headers = { ...(await signIn(gateway)), 'content-type': 'application/json' }
  const PER_CALL = Math.min(count, 1_000)
  for (let first = 0; first < count; first += PER_CALL) {
    const key = Array.from({ length: PER_CALL }, (_, place) => `key-${first + place}`).join('\n')
    const body = JSON.stringify({
      name: `bench-${first / PER_CALL}`,
      type: 1,
      key,
      models: 'gpt-4o,gpt-4o-mini',
      group: 'default',
    })
    const answer = await request(`${gateway.url}/api/channel/`, { method: 'POST', headers, body })
    const said = /** @type {any} */ (await answer.body.json())
    if (!said.success) throw new Error(`channels were not made: ${said.message}`)
  }
}

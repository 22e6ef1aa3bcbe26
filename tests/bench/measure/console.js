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
const VITEST = fileURLToPath(new URL('../../../node_modules/vitest/vitest.mjs', import.meta.url))
const CONFIG = fileURLToPath(new URL('../console/vitest.config.ts', import.meta.url))
const YARDSTICK = 'an empty page'
/** @type {Record<string, string>} */
const BUDGETS = { 'login page until one can type': '≤ 1 000 ms' }
const LIST_BUDGET = '≤ 300 ms'

/** The console in a browser: its login page, and lists of 100 000 logs and 5 000 channels. @param {import('./sides.js').Bench} bench */
export async function measureConsole(bench) {
  const gateway = await startGateway(bench, {
    env: { GLOBAL_API_RATE_LIMIT_ENABLE: 'false', GLOBAL_WEB_RATE_LIMIT_ENABLE: 'false' },
  })
  await gateway.stop()
  bench.say(`writing ${LOG_ROWS} log rows and ${CHANNELS} channels`)
  await fillLogs(gateway.databaseFile, LOG_ROWS)
  await gateway.restart()
  await addChannels(gateway)
  const output = join(bench.folder, 'console.json')
  bench.say('a browser')
  const { child, tail } = bench.processes.start([VITEST, 'run', '--config', CONFIG], {
    env: { CONSOLE_BENCH_URL: gateway.url, CONSOLE_BENCH_PASSWORD: gateway.rootPassword, CONSOLE_BENCH_OUTPUT: output },
  })
  const [code] = await once(child, 'close')
  if (code !== 0) throw new Error(`the browser's part ended with ${code}: ${tail()}`)
  /** @type {Record<string, number[]>} */
  const figures = JSON.parse(await readFile(output, 'utf8'))
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
}

/** One channel for each key. @param {import('../gateway.js').Gateway} gateway */
async function addChannels(gateway) {
  const headers = { ...(await signIn(gateway)), 'content-type': 'application/json' }
  const PER_CALL = 1_000
  for (let first = 0; first < CHANNELS; first += PER_CALL) {
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

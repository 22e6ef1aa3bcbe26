import { median, show } from '../figures.js'
import { runCommand, setUp, startGateway } from '../gateway.js'
import { stopAll } from './chat.js'
import { startUpstream } from './sides.js'

const RUNS = 5
/** Many, because a start is short and single runs vary. */
const ROUNDS = 20

/** Measures the time from the start to the end of commands, and of a bare `node` for comparison. @param {import('./sides.js').Bench} bench */
export async function measureCommandLine(bench) {
  const upstream = await startUpstream(bench)
  const gateway = await startGateway(bench)
  await setUp(gateway, upstream)

  const access = { TOLLGATE_TOKEN: await accessToken(gateway) }
  const { bare, version, help, tab, list, remote } = await mediansByTurns({
    bare: () => runCommand(bench.processes, ['-e', '0']),
    version: () => gateway.command(['--version']),
    help: () => gateway.command(['token', '--help']),
    tab: () => gateway.command(['__complete', 'token', 'l']),
    list: () => gateway.command(['token', 'list', '--json']),
    remote: () => gateway.command(['token', 'list', '--json', '--server', gateway.url], access),
  })
  for (const { what, ms, budget } of [
    { what: 'tollgate --version (yardstick: node -e 0)', ms: version, budget: '≤ 150 ms' },
    { what: 'tollgate token --help', ms: help, budget: '' },
    { what: 'a Tab', ms: tab, budget: '≤ 150 ms' },
    { what: 'tollgate token list --json', ms: list, budget: '≤ 250 ms' },
    { what: 'tollgate token list --json --server …', ms: remote, budget: '≤ 250 ms' },
  ]) {
    bench.row({ what, yardstick: show(bare, 'ms'), gateway: show(ms, 'ms'), ratio: show(ms / bare), budget })
  }
  bench.keep('cli', {
    bareNodeMs: bare,
    versionMs: version,
    helpMs: help,
    tabMs: tab,
    tokenListMs: list,
    remoteListMs: remote,
  })
  await stopAll([upstream, gateway])
}

/**
 * Returns the median time of each command. The commands take turns, so that other load of the machine affects all
 * alike.
 *
 * @template {string} Name @param {Record<Name, () => Promise<{ wallMs: number }>>} commands @returns {Promise<Record<Name, number>>}
 */
async function mediansByTurns(commands) {
  const entries = /** @type {[Name, () => Promise<{ wallMs: number }>][]} */ (Object.entries(commands))
  /** @type {Map<Name, number[]>} */
  const times = new Map(entries.map(([name]) => [name, []]))
  for (let round = 0; round < ROUNDS; round++) {
    for (const [name, run] of entries) times.get(name)?.push((await run()).wallMs)
  }
  const medians = [...times].map(([name, values]) => [name, median(values)])
  return /** @type {Record<Name, number>} */ (Object.fromEntries(medians))
}

/** @param {() => Promise<{ wallMs: number }>} run */
export async function medianMs(run) {
  const times = []
  for (let count = 0; count < RUNS; count++) times.push((await run()).wallMs)
  return median(times)
}

/** Returns an access token of root. @param {import('../gateway.js').Gateway} gateway */
async function accessToken({ url, rootPassword }) {
  const body = JSON.stringify({ username: 'root', password: rootPassword })
  const headers = { 'content-type': 'application/json' }
  const signedIn = await fetch(`${url}/api/user/login`, { method: 'POST', headers, body })
  const cookie = signedIn.headers.getSetCookie().map((each) => each.split(';', 1)[0])
  const answer = await fetch(`${url}/api/user/token`, {
    headers: { cookie: cookie.join('; '), 'tollgate-user': '1' },
  })
  const { data } = /** @type {{ data?: unknown }} */ (await answer.json())
  if (typeof data !== 'string') throw new Error('root got no access token')
  return data
}

import { median, show } from '../figures.js'
import { runCommand, setUp, startGateway } from '../gateway.js'
import { stopAll } from './chat.js'
import { startUpstream } from './sides.js'

const RUNS = 5

/** Whole life of a command, as a person waits for it; beside it that of a bare node. @param {import('./sides.js').Bench} bench */
export async function measureCommandLine(bench) {
  const upstream = await startUpstream(bench)
  const gateway = await startGateway(bench)
  await setUp(gateway, upstream)

  const bare = await medianMs(() => runCommand(bench.processes, ['-e', '0']))
  const version = await medianMs(() => gateway.command(['--version']))
  const list = await medianMs(() => gateway.command(['token', 'list', '--json']))
  for (const { what, ms, budget } of [
    { what: 'tollgate --version (yardstick: node -e 0)', ms: version, budget: '≤ 150 ms' },
    { what: 'tollgate token list --json', ms: list, budget: '≤ 400 ms' },
  ]) {
    bench.row({ what, yardstick: show(bare, 'ms'), gateway: show(ms, 'ms'), ratio: show(ms / bare), budget })
  }
  bench.keep('cli', { bareNodeMs: bare, versionMs: version, tokenListMs: list })
  await stopAll([upstream, gateway])
}

/** @param {() => Promise<{ wallMs: number }>} run */
export async function medianMs(run) {
  const times = []
  for (let count = 0; count < RUNS; count++) times.push((await run()).wallMs)
  return median(times)
}

import { availableParallelism } from 'node:os'
import { treeOf } from '../readings.js'
import { chat, cpuOfRequest, stopAll } from './chat.js'
import { alternate, compare, startLoad, startUpstream, tryGateway } from './sides.js'

const CORES_WANTED = 4

/** Compares chat with two workers and with one worker. @param {import('./sides.js').Bench} bench */
export async function measureWorkers(bench) {
  const upstream = await startUpstream(bench)
  const one = await tryGateway(bench, upstream, { workers: 1 })
  const two = await tryGateway(bench, upstream, { workers: 2 })
  const load = await startLoad(bench, 'chat-load')
  if (two && treeOf(two.pid).length < 2) bench.problem('WORKERS=2 started no second process')

  const figures = await alternate(bench, [one, two], (side, seconds) => chat(bench, load, side, seconds))
  compare(bench, 'two workers (right) to one (left), requests/s', figures, (side) => side.perSecond, {
    budget: '≥ 1.60',
  })
  compare(bench, 'two workers to one, CPU of a request', figures, cpuOfRequest, { unit: 'µs' })
  compare(bench, 'two workers to one, share of a core', figures, (side) => side.busyPercent, { unit: '%' })
  if (availableParallelism() < CORES_WANTED) {
    bench.note(
      `workers: upstream and load share these ${availableParallelism()} cores with the gateway, so requests/s cannot reach the budget here; the CPU of a request should stay near 1.00`,
    )
  }
  bench.keep('workers', { one: figures[0], two: figures[1] })
  await stopAll([load, upstream, one, two])
}

import { median, show } from '../figures.js'
import { setUp, startGateway } from '../gateway.js'
import { cpuMs } from '../readings.js'

/**
 * Compares two sides. The sides take turns in one run (left, right, left, right …), so that any drift of the machine
 * affects both. They are compared pair by pair.
 *
 * @typedef {{
 *   processes: import('../processes.js').Processes, bin: string, folder: string, rounds: number, roundSeconds: number, warmUpSeconds: number, longSeconds: number,
 *   row: (row: import('../report.js').Row) => void, keep: (name: string, figures: unknown) => void,
 *   problem: (text: string) => void, note: (text: string) => void, say: (text: string) => void,
 * }} Bench
 * @typedef {{ name: string, pid: number, url: string, key: string, prepare?: () => Promise<void>, stop: () => Promise<void> }} Side
 */

const file = (/** @type {string} */ name) => new URL(`../processes/${name}.js`, import.meta.url)

/** @param {Bench} bench @param {number} [tokensPerSecond] rate of the model `sim-bench-paced` @param {number} [port] port of the fast upstream; 0: any */
export async function startUpstream({ processes }, tokensPerSecond = 2, port = 0) {
  const { info, stop } = await processes.fork(file('upstream'), { tokensPerSecond, port })
  return { .../** @type {{ url: string, pacedUrl: string, messagesUrl: string, wholeUrl: string }} */ (info), stop }
}

/** @param {Bench} bench @param {'chat-load' | 'stream-load' | 'turns-load'} name */
export function startLoad({ processes }, name) {
  return processes.fork(file(name))
}

/** @param {Bench} bench @param {{ url: string }} upstream @returns {Promise<Side>} */
export async function startYardstick({ processes }, { url }) {
  const { pid, info, stop } = await processes.fork(file('yardstick'), { upstream: url })
  return { name: 'yardstick', pid, url: info.url, key: 'any-key', stop }
}

/** Starts the yardstick for bodies. @param {Bench} bench @returns {Promise<Side>} */
export async function startParser({ processes }) {
  const { pid, info, stop } = await processes.fork(file('parser'))
  return { name: 'parser', pid, url: info.url, key: 'any-key', stop }
}

/**
 * Starts a gateway and sets it up. Returns undefined if that fails, and adds the reason to the problems.
 * @param {Bench} bench
 * @param {{ url: string, pacedUrl: string, messagesUrl: string, wholeUrl: string }} upstream
 * @param {import('../gateway.js').GatewayOptions & { messages?: boolean, whole?: boolean, key?: string }} [options] `key`: the key of a database that is already set up
 */
export async function tryGateway(bench, upstream, { messages, whole, key: known, ...options } = {}) {
  const name = options.workers ? `gateway with WORKERS=${options.workers}` : 'gateway'
  let gateway
  try {
    gateway = await startGateway(bench, options)
    const key = known ?? (await setUp(gateway, upstream, { messages, whole }))
    const { url, stop } = gateway
    return { name, url, key, stop, pid: gateway.pid, gateway }
  } catch (error) {
    await gateway?.stop()
    bench.problem(`${name}: ${error instanceof Error ? error.message : error}`)
    return undefined
  }
}

/**
 * Warms up all sides, and measures them in turns, each after its preparation. Skips missing sides.
 *
 * @template {object} Figures
 * @template {Side} Measured
 * @param {Bench} bench
 * @param {(Measured | undefined)[]} sides
 * @param {(side: Measured, seconds: number) => Promise<Figures>} measure
 * @returns {Promise<(Figures & Cpu)[][]>} the rounds of each side
 */
export async function alternate({ rounds, roundSeconds, warmUpSeconds, say }, sides, measure) {
  const present = sides.flatMap((side, index) => (side ? [{ side, index }] : []))
  for (const { side } of present) {
    await side.prepare?.()
    await measure(side, warmUpSeconds)
  }
  /** @type {(Figures & Cpu)[][]} */
  const figures = sides.map(() => [])
  for (let round = 1; round <= rounds; round++) {
    // Reverse every second round, so that no side always follows the same side.
    for (const { side, index } of round % 2 ? present : present.toReversed()) {
      say(`round ${round} of ${rounds}: ${side.name}`)
      await side.prepare?.()
      figures[index]?.push(await withCpu(side.pid, () => measure(side, roundSeconds)))
    }
  }
  return figures
}

/** @typedef {{ cpuMs: number | undefined, busyPercent: number | undefined }} Cpu */

/** @template {object} Figures @param {number} pid @param {() => Promise<Figures>} act @returns {Promise<Figures & Cpu>} */
async function withCpu(pid, act) {
  const [cpuBefore, startedAt] = [cpuMs(pid), performance.now()]
  const figures = await act()
  const [cpuAfter, elapsedMs] = [cpuMs(pid), performance.now() - startedAt]
  const used = cpuBefore === undefined || cpuAfter === undefined ? undefined : cpuAfter - cpuBefore
  return { ...figures, cpuMs: used, busyPercent: used && (used / elapsedMs) * 100 }
}

/**
 * Adds one row to the report: the median of each of two sides, and the median of the ratios right / left of each pair.
 *
 * @template {object} Figures
 * @param {Bench} bench
 * @param {string} what
 * @param {Figures[][]} figures
 * @param {(figures: Figures) => number | undefined} pick
 * @param {{ unit?: string, budget?: string }} [options]
 */
export function compare(bench, what, [left = [], right = []], pick, { unit, budget } = {}) {
  const value = (/** @type {Figures} */ one) => pick(one) ?? Number.NaN
  const ratios = right.flatMap((one, index) => {
    const other = left[index]
    return other ? [value(one) / value(other)] : []
  })
  const side = (/** @type {Figures[]} */ all) => show(all.length ? median(all.map(value)) : undefined, unit)
  const ratio = show(ratios.length ? median(ratios) : undefined)
  bench.row({ what, yardstick: side(left), gateway: side(right), ratio, ...(budget ? { budget } : {}) })
}

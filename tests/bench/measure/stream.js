import { CHAT_BODY, stopAll } from './chat.js'
import { alternate, compare, startLoad, startUpstream, startYardstick, tryGateway } from './sides.js'

const STREAMS = 200
const CHUNKS = 100

export const STREAM_BODY = {
  ...CHAT_BODY,
  max_tokens: CHUNKS,
  stream: true,
  stream_options: { include_usage: true },
}

/** Measures 200 concurrent streams without pacing. @param {import('./sides.js').Bench} bench */
export async function measureStream(bench) {
  const upstream = await startUpstream(bench)
  const sides = /** @type {const} */ ([await startYardstick(bench, upstream), await tryGateway(bench, upstream)])
  const load = await startLoad(bench, 'stream-load')

  const figures = await alternate(bench, [...sides], (side, seconds) => streams(bench, load, side, seconds))
  compare(bench, `${STREAMS} streams, chunks/s`, figures, (one) => one.perSecond, { budget: '≥ 0.70' })
  compare(bench, `${STREAMS} streams, first chunk p50`, figures, (one) => one.firstP50Ms, { unit: 'ms' })
  compare(bench, `${STREAMS} streams, first chunk p99`, figures, (one) => one.firstP99Ms, { unit: 'ms' })
  compare(bench, `${STREAMS} streams, CPU of a chunk`, figures, cpuOfChunk, { unit: 'µs' })
  compare(bench, `${STREAMS} streams, share of a core`, figures, (one) => one.busyPercent, { unit: '%' })
  bench.keep('stream', { yardstick: figures[0], gateway: figures[1] })
  await stopAll([load, upstream, ...sides])
}

/** Measures 200 concurrent streams, each of which arrives from the upstream in one piece. @param {import('./sides.js').Bench} bench */
export async function measureWholeStream(bench) {
  const upstream = await startUpstream(bench)
  const yardstick = await startYardstick(bench, { url: upstream.wholeUrl })
  const gateway = await tryGateway(bench, upstream, { whole: true })
  const load = await startLoad(bench, 'stream-load')
  const body = { ...STREAM_BODY, model: 'sim-bench-whole' }

  const sides = [yardstick, gateway && { ...gateway, body }]
  const figures = await alternate(bench, sides, (side, seconds) => streams(bench, load, side, seconds))
  compare(bench, 'streams in one piece, streams/s', figures, (one) => one.perSecond / CHUNKS)
  compare(bench, 'streams in one piece, CPU of a stream', figures, cpuOfStream, { unit: 'µs', budget: '≤ 2.50' })
  bench.keep('whole', { yardstick: figures[0], gateway: figures[1] })
  await stopAll([load, upstream, yardstick, gateway])
}

/**
 * Keeps 200 streams running. The side determines the request and the address.
 *
 * @param {import('./sides.js').Bench} bench
 * @param {import('../processes.js').Asked} load
 * @param {import('./sides.js').Side & { body?: object, path?: string, lineFeeds?: number }} side
 * @param {number} seconds
 */
export async function streams({ problem }, load, { name, url, key, body = STREAM_BODY, path, lineFeeds }, seconds) {
  const options = { url, key, seconds, body, path, lineFeeds, streams: STREAMS }
  /** @type {{ chunks: number, perSecond: number, streams: number, firstP50Ms: number, firstP99Ms: number, failures: number, failure: string }} */
  const round = await load.ask('run', options, (seconds + 60) * 1_000)
  if (round.failures) problem(`${name}: ${round.failures} streams failed, first with: ${round.failure}`)
  return round
}

/** @param {{ chunks: number, cpuMs: number | undefined }} figures */
export function cpuOfChunk({ chunks, cpuMs }) {
  return cpuMs && (cpuMs * 1_000) / chunks
}

/** @param {{ streams: number, cpuMs: number | undefined }} figures */
function cpuOfStream({ streams, cpuMs }) {
  return cpuMs && (cpuMs * 1_000) / streams
}

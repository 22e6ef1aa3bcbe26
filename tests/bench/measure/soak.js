import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { mean, megabytes, show } from '../figures.js'
import { openFiles, rssBytes } from '../readings.js'
import { CHAT_BODY, stopAll } from './chat.js'
import { startLoad, startUpstream, tryGateway } from './sides.js'
import { STREAM_BODY } from './stream.js'

const REQUESTS_PER_SECOND = 100
const IN_FLIGHT_MAX = 400
const CHUNKS = 30
const CHUNKS_PER_SECOND = 20
const SAMPLE_MS = 10_000
const HEAP_PROBE = new URL('../processes/heap-probe.js', import.meta.url)

/**
 * Measures whether memory and open files grow under a steady load of bodies and paced streams.
 * @param {import('./sides.js').Bench} bench
 * @param {number} minutes
 */
export async function measureSoak(bench, minutes) {
  const heapFile = join(bench.folder, 'heap')
  const upstream = await startUpstream(bench, CHUNKS_PER_SECOND)
  const side = await tryGateway(bench, upstream, {
    env: { BENCH_HEAP_FILE: heapFile },
    nodeArgs: ['--import', fileURLToPath(HEAP_PROBE)],
  })
  if (!side) return
  const load = await startLoad(bench, 'stream-load')
  const options = {
    url: side.url,
    key: side.key,
    body: CHAT_BODY,
    streamBody: { ...STREAM_BODY, model: 'sim-bench-paced', max_tokens: CHUNKS },
    perSecond: REQUESTS_PER_SECOND,
    inFlightMax: IN_FLIGHT_MAX,
    seconds: minutes * 60,
  }
  const loading = load.ask('mix', options, minutes * 60_000 + 60_000)

  /** @type {{ seconds: number, rssMB: number, heapMB: number, files: number }[]} */
  const samples = []
  const count = Math.max(4, Math.floor((minutes * 60_000) / SAMPLE_MS))
  for (let taken = 0; taken < count; taken++) {
    await Promise.race([sleep((minutes * 60_000) / count), loading])
    const heap = Number(await readFile(heapFile, 'utf8').catch(() => Number.NaN))
    const sample = {
      seconds: Math.round(((taken + 1) * minutes * 60) / count),
      rssMB: megabytes(rssBytes(side.pid)) ?? Number.NaN,
      heapMB: heap / 1_000_000,
      files: openFiles(side.pid) ?? Number.NaN,
    }
    samples.push(sample)
    bench.say(
      `${sample.seconds} s: ${show(sample.rssMB, 'MB')}, heap ${show(sample.heapMB, 'MB')}, ${sample.files} files`,
    )
  }
  /** @type {{ requests: number, failures: number, failure: string, skipped: number }} */
  const totals = await loading
  if (totals.failures)
    bench.problem(`soak: ${totals.failures} of ${totals.requests} failed, first with: ${totals.failure}`)
  if (totals.skipped) bench.problem(`soak: ${totals.skipped} requests not sent, ${IN_FLIGHT_MAX} were in flight`)

  const quarter = Math.max(1, Math.floor(samples.length / 4))
  bench.note(`soak: ${totals.requests} requests in ${minutes} minutes; left is the first quarter, right the last`)
  for (const { what, unit, pick } of [
    { what: 'soak, memory', unit: 'MB', pick: (/** @type {(typeof samples)[number]} */ sample) => sample.rssMB },
    { what: 'soak, heap', unit: 'MB', pick: (/** @type {(typeof samples)[number]} */ sample) => sample.heapMB },
    { what: 'soak, open files', unit: '', pick: (/** @type {(typeof samples)[number]} */ sample) => sample.files },
  ]) {
    const [first, last] = [mean(samples.slice(0, quarter).map(pick)), mean(samples.slice(-quarter).map(pick))]
    const ratio = show(last / first)
    bench.row({ what, yardstick: show(first, unit), gateway: show(last, unit), ratio, budget: 'flat' })
  }
  bench.keep('soak', { minutes, ...totals, samples })
  await stopAll([load, upstream, side])
}

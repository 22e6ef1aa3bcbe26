import { setTimeout as sleep } from 'node:timers/promises'
import { megabytes, show } from '../figures.js'
import { setUp, startGateway } from '../gateway.js'
import { openFiles, rssBytes } from '../readings.js'
import { stopAll } from './chat.js'
import { startLoad, startUpstream } from './sides.js'
import { STREAM_BODY } from './stream.js'

/** Wait after the start. Within a minute, V8 returns the memory that the start needed. */
const IDLE_MS = 60_000
const STREAMS = 1_000
const CHUNKS_PER_SECOND = 2
const SAMPLES = 10
const SAMPLE_MS = 500

/** Measures the resident memory of a gateway one minute after its start, and with 1 000 open streams. @param {import('./sides.js').Bench} bench */
export async function measureMemory(bench) {
  const upstream = await startUpstream(bench, CHUNKS_PER_SECOND)
  const gateway = await startGateway(bench)
  await sleep(IDLE_MS)
  const idle = megabytes(rssBytes(gateway.pid))
  const key = await setUp(gateway, upstream)
  const load = await startLoad(bench, 'stream-load')
  const body = { ...STREAM_BODY, model: 'sim-bench-paced', max_tokens: 600 }

  bench.say(`opening ${STREAMS} streams`)
  /** @type {{ opened: number, failure: string }} */
  const { opened, failure } = await load.ask('open', { url: gateway.url, key, body, streams: STREAMS })
  if (opened < STREAMS)
    bench.problem(`only ${opened} of ${STREAMS} streams began at the gateway: ${failure || 'no answer'}`)
  const samples = []
  for (let sample = 0; sample < SAMPLES; sample++) {
    await sleep(SAMPLE_MS)
    samples.push(megabytes(rssBytes(gateway.pid)) ?? Number.NaN)
  }
  const files = openFiles(gateway.pid)
  await load.ask('close')

  const busy = Math.max(...samples)
  bench.row({ what: 'memory, idle', gateway: show(idle, 'MB'), budget: '≤ 120 MB' })
  bench.row({ what: `memory, ${opened} open streams, most`, gateway: show(busy, 'MB'), budget: '≤ 350 MB' })
  bench.keep('memory', { idleMB: idle, streams: opened, samplesMB: samples, openFiles: files })
  await stopAll([load, upstream, gateway])
}

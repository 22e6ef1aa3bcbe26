import { setTimeout as sleep } from 'node:timers/promises'
import { mean, megabytes, show, slope } from '../figures.js'
import { rssBytes } from '../readings.js'
import { stopAll } from './chat.js'
import { startLoad, startUpstream, tryGateway } from './sides.js'
import { STREAM_BODY } from './stream.js'
import { MESSAGES_ASK } from './translated.js'

const STREAMS = 1_000
const CHUNKS_PER_SECOND = 4
/** Fraction of the time in which memory may grow, until all streams run and the first garbage is collected. */
const SETTLING_SHARE = 0.25
const SAMPLES_PER_SECOND = 2
/** Maximum ratio of the last third to the first third for which memory counts as flat. */
const FLAT_MAX = 1.1
/** Additional duration of the streams, so that none ends while the streams are opened and measured. */
const SECONDS_MORE = 120

/** Measures whether memory grows with the output of 1 000 long streams, native and translated. @param {import('./sides.js').Bench} bench */
export async function measureLong(bench) {
  const max_tokens = (bench.longSeconds + SECONDS_MORE) * CHUNKS_PER_SECOND
  const model = 'sim-bench-paced'
  const kinds = [
    { name: 'passed on', body: { ...STREAM_BODY, model, max_tokens } },
    { name: 'translated', ...MESSAGES_ASK, body: { ...MESSAGES_ASK.body, model, max_tokens } },
  ]
  for (const { name, ...ask } of kinds) await measureKind(bench, name, ask)
}

/** Measures one kind of streams in a new gateway, without memory of earlier streams. @param {import('./sides.js').Bench} bench @param {string} name @param {{ body: object, path?: string }} ask */
async function measureKind(bench, name, ask) {
  const upstream = await startUpstream(bench, CHUNKS_PER_SECOND)
  const gateway = await tryGateway(bench, upstream)
  if (!gateway) return stopAll([upstream])
  const load = await startLoad(bench, 'stream-load')
  bench.say(`${STREAMS} streams ${name}, ${bench.longSeconds} s`)
  /** @type {{ opened: number, failure: string }} */
  const { opened, failure } = await load.ask('open', { url: gateway.url, key: gateway.key, streams: STREAMS, ...ask })
  if (opened < STREAMS) bench.problem(`only ${opened} of ${STREAMS} streams ${name} began: ${failure || 'no answer'}`)

  await sleep(bench.longSeconds * SETTLING_SHARE * 1_000)
  const samples = []
  const count = Math.round(bench.longSeconds * (1 - SETTLING_SHARE) * SAMPLES_PER_SECOND)
  while (samples.length < count) {
    await sleep(1_000 / SAMPLES_PER_SECOND)
    samples.push(megabytes(rssBytes(gateway.pid)) ?? Number.NaN)
  }
  /** @type {{ open: number }} */
  const { open } = await load.ask('close')
  if (open < opened) bench.problem(`${opened - open} of ${opened} streams ${name} ended before they should`)

  const third = Math.max(1, Math.floor(samples.length / 3))
  const [first, last] = [mean(samples.slice(0, third)), mean(samples.slice(-third))]
  const perMinute = slope(samples) * SAMPLES_PER_SECOND * 60
  bench.row({
    what: `${opened} long streams ${name}, memory, first third and last`,
    yardstick: show(first, 'MB'),
    gateway: show(last, 'MB'),
    ratio: show(last / first),
    budget: 'flat',
  })
  const verdict = last / first > FLAT_MAX ? 'growing' : 'flat'
  bench.note(
    `${opened} long streams ${name}: ${verdict}, ${show(perMinute, 'MB')} a minute over ${bench.longSeconds} s`,
  )
  bench.keep(`long, ${name}`, { streams: opened, samplesMB: samples, megabytesPerMinute: perMinute, verdict })
  await stopAll([load, upstream, gateway])
}

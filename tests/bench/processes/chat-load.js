import autocannon from 'autocannon'
import { percentile } from '../figures.js'
import { ready } from './child.js'

ready({}, { run })

/**
 * Keeps `connections` requests running for `seconds`. Measures the latency of each reply itself, because autocannon's
 * histogram counts whole milliseconds.
 *
 * @param {{ url: string, key: string, body: object, connections: number, seconds: number }} options
 */
async function run({ url, key, body, connections, seconds }) {
  /** @type {number[]} */
  const latenciesMs = []
  const startedAt = performance.now()
  let endedAt = startedAt
  let refused = 0
  const cannon = autocannon({
    url: `${url}/v1/chat/completions`,
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
    connections,
    duration: seconds,
    sampleInt: 250,
  })
  cannon.on(
    'response',
    (/** @type {any} */ _, /** @type {number} */ status, /** @type {any} */ __, /** @type {number} */ ms) => {
      endedAt = performance.now()
      if (status === 200) latenciesMs.push(ms)
      else refused++
    },
  )
  const { errors, timeouts } = await cannon
  latenciesMs.sort((a, b) => a - b)
  return {
    requests: latenciesMs.length,
    perSecond: (latenciesMs.length * 1_000) / (endedAt - startedAt),
    p50Ms: percentile(latenciesMs, 50),
    p97Ms: percentile(latenciesMs, 97.5),
    p99Ms: percentile(latenciesMs, 99),
    failures: refused + errors + timeouts,
  }
}

import { alternate, compare, startLoad, startUpstream, startYardstick, tryGateway } from './sides.js'

/** @typedef {import('./sides.js').Bench} Bench @typedef {import('./sides.js').Side} Side */

const CONNECTIONS = 32
const QUESTION = 'Describe, in a few plain sentences, how a lock raises a ship from the river to the canal above it. '

export const CHAT_BODY = {
  model: 'sim-bench',
  messages: [
    { role: 'system', content: 'You are a patient teacher who answers briefly and never uses a list.' },
    { role: 'user', content: QUESTION.repeat(4) },
  ],
  max_tokens: 64,
}

/** Measures chat without streaming over 32 connections. @param {Bench} bench */
export async function measureChat(bench) {
  const upstream = await startUpstream(bench)
  const sides = /** @type {const} */ ([await startYardstick(bench, upstream), await tryGateway(bench, upstream)])
  const load = await startLoad(bench, 'chat-load')

  const figures = await alternate(bench, [...sides], (side, seconds) => chat(bench, load, side, seconds))
  compare(bench, 'chat, requests/s', figures, (one) => one.perSecond, { budget: '≥ 0.60, aim 0.75' })
  compare(bench, 'chat, p50', figures, (one) => one.p50Ms, { unit: 'ms', budget: '≤ 1.70' })
  compare(bench, 'chat, p97.5', figures, (one) => one.p97Ms, { unit: 'ms' })
  compare(bench, 'chat, p99', figures, (one) => one.p99Ms, { unit: 'ms' })
  compare(bench, 'chat, CPU of a request', figures, cpuOfRequest, { unit: 'µs' })
  compare(bench, 'chat, share of a core', figures, (one) => one.busyPercent, { unit: '%' })
  bench.keep('chat', { yardstick: figures[0], gateway: figures[1] })
  await stopAll([load, upstream, ...sides])
}

/**
 * @param {Bench} bench @param {import('../processes.js').Asked} load @param {Side} side @param {number} seconds
 * @param {{ connections?: number }} [options]
 */
export async function chat({ problem }, load, { name, url, key }, seconds, { connections = CONNECTIONS } = {}) {
  const options = { url, key, seconds, body: CHAT_BODY, connections }
  /** @type {{ requests: number, perSecond: number, p50Ms: number, p97Ms: number, p99Ms: number, failures: number }} */
  const figures = await load.ask('run', options, (seconds + 30) * 1_000)
  if (figures.failures) problem(`${name}: ${figures.failures} of ${figures.requests} chat requests failed`)
  return figures
}

/** @param {{ requests: number, cpuMs: number | undefined }} figures */
export function cpuOfRequest({ requests, cpuMs }) {
  return cpuMs && (cpuMs * 1_000) / requests
}

/** @param {({ stop: () => Promise<void> } | undefined)[]} parts */
export async function stopAll(parts) {
  await Promise.all(parts.map((part) => part?.stop()))
}

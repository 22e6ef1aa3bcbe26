import { setTimeout as sleep } from 'node:timers/promises'
import { request } from 'undici'
import { megabytes, show } from '../figures.js'
import { rssBytes } from '../readings.js'
import { CHAT_BODY, chat, cpuOfRequest, stopAll } from './chat.js'
import { alternate, compare, startLoad, startUpstream, startYardstick } from './sides.js'

/** @typedef {import('./sides.js').Bench} Bench */
/**
 * A running gateway. `pid`: its process, for CPU and memory. `port`: the port of the upstream of its channel.
 * `balanceKey`: a key whose balance pays for 50 requests. `kill`: whether to kill the process.
 *
 * @typedef {{ url: string, key: string, pid?: number | undefined, port: number, balanceKey?: string | undefined, kill: boolean }} Running
 */

export const UPSTREAM_PORT = 18_099
const AT_ONCE = 500
const PAID_FOR = 50
const BACK_MS = 120_000
const SETTLE_MS = 2_000

/** Measures the load of `chat` on any gateway, compared with the yardstick. @param {Bench} bench @param {Running} running */
export async function measureRunning(bench, { url, key, pid = 0, port, balanceKey, kill }) {
  const upstream = await startUpstream(bench, undefined, port)
  const yardstick = await startYardstick(bench, upstream)
  const load = await startLoad(bench, 'chat-load')
  const gateway = { name: 'gateway', pid, url: url.replace(/\/+$/, ''), key, stop: async () => {} }
  try {
    const expected = await contentOf(upstream.url, 'any-key')
    await ready(gateway, expected, upstream.url)
    for (const connections of [32, 1]) {
      const figures = await alternate(bench, [yardstick, gateway], (side, seconds) =>
        chat(bench, load, side, seconds, { connections }),
      )
      const about = `${connections} connection${connections === 1 ? '' : 's'}`
      compare(bench, `${about}, requests/s`, figures, (one) => one.perSecond)
      compare(bench, `${about}, p50`, figures, (one) => one.p50Ms, { unit: 'ms' })
      compare(bench, `${about}, p99`, figures, (one) => one.p99Ms, { unit: 'ms' })
      if (pid) compare(bench, `${about}, CPU of a request`, figures, cpuOfRequest, { unit: 'µs' })
      bench.keep(`running, ${about}`, figures)
    }
    if (pid) bench.row({ what: 'memory after the load', gateway: show(megabytes(rssBytes(pid)), 'MB') })
    const whole = await wholeOf(gateway.url, key, expected)
    bench.row({ what: `replies that were not whole, of ${AT_ONCE}`, gateway: String(AT_ONCE - whole), budget: '0' })
    if (balanceKey) {
      const served = await wholeOf(gateway.url, balanceKey, expected)
      const what = `${AT_ONCE} at once on a balance for ${PAID_FOR}: served`
      bench.row({ what, gateway: String(served), budget: String(PAID_FOR) })
    }
    if (kill) await measureKill(bench, gateway, expected)
  } finally {
    await stopAll([load, upstream, yardstick])
  }
}

/** Counts the charges that are lost if the process is killed right after the last reply. @param {Bench} bench @param {{ url: string, key: string, pid: number }} gateway @param {string} expected */
async function measureKill(bench, { url, key, pid }, expected) {
  const atFirst = await usedOf(url, key)
  await contentOf(url, key)
  await sleep(SETTLE_MS)
  const before = await usedOf(url, key)
  const each = before - atFirst
  if (!(each > 0))
    return bench.problem('one request changed nothing at /v1/dashboard/billing/usage: no accounts to look at')
  const whole = await wholeOf(url, key, expected)
  process.kill(pid, 'SIGKILL')
  bench.say(`killed process ${pid} after ${whole} replies: start the gateway again on the same data`)
  await back(url)
  const charged = Math.round(((await usedOf(url, key)) - before) / each)
  const what = `charges lost of ${whole}, killed after the last reply`
  bench.row({ what, gateway: String(whole - charged), budget: '0' })
}

/** @param {{ url: string, key: string }} gateway @param {string} expected @param {string} upstream */
async function ready({ url, key }, expected, upstream) {
  const found = await contentOf(url, key).catch((error) => String(error.message))
  if (found === expected) return
  const needs = `It needs a channel of type OpenAI with the base URL ${upstream} and the model ${CHAT_BODY.model}, and a price for it`
  throw new Error(`${url} did not relay a chat: ${found}. ${needs}.`)
}

/** Returns the text of one reply. Throws if the reply is incomplete. @param {string} url @param {string} key */
async function contentOf(url, key) {
  const { statusCode, body } = await request(`${url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(CHAT_BODY),
  })
  const text = await body.text()
  if (statusCode !== 200) throw new Error(`status ${statusCode}: ${text.slice(0, 200)}`)
  return String(JSON.parse(text).choices[0].message.content)
}

/** Sends AT_ONCE concurrent requests. Returns the number of complete replies. @param {string} url @param {string} key @param {string} expected */
async function wholeOf(url, key, expected) {
  const replies = await Promise.allSettled(Array.from({ length: AT_ONCE }, () => contentOf(url, key)))
  return replies.filter((reply) => reply.status === 'fulfilled' && reply.value === expected).length
}

/** Returns the usage of the key by OpenAI's former billing API, which most gateways support. @param {string} url @param {string} key */
async function usedOf(url, key) {
  const { statusCode, body } = await request(`${url}/v1/dashboard/billing/usage`, {
    headers: { authorization: `Bearer ${key}` },
  })
  const text = await body.text()
  if (statusCode !== 200) throw new Error(`/v1/dashboard/billing/usage answered ${statusCode}: ${text.slice(0, 200)}`)
  return Number(JSON.parse(text).total_usage)
}

/** Waits until the gateway has been restarted. @param {string} url */
async function back(url) {
  const deadline = Date.now() + BACK_MS
  while (Date.now() < deadline) {
    const isBack = await request(`${url}/api/status`).then(
      ({ body }) => body.dump().then(() => true),
      () => false,
    )
    if (isBack) return
    await sleep(500)
  }
  throw new Error(`the gateway did not come back in ${BACK_MS / 1000} s`)
}

import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { Pool } from 'undici'
import { ready } from './child.js'

ready({}, { run })

const HAS_PROC = existsSync('/proc/self/schedstat')

/**
 * Loads several targets by short turns, back and forth, over connections that stay open. What a machine does beside affects all of
 * them alike, so differences of one percent show.
 *
 * @typedef {{ url: string, key: string, body: object, address: string, pid: number }} Target `address`: the client's
 * @param {{ targets: Target[], connections: number, turnMs: number, seconds: number }} options
 */
async function run({ targets, connections, turnMs, seconds }) {
  const sides = targets.map((target) => ({ ...sideOf(target, connections), pid: target.pid }))
  const sums = sides.map(() => ({ requests: 0, ms: 0, cpuMs: 0, failures: 0 }))
  const endsAt = performance.now() + seconds * 1_000
  for (let turn = 0; performance.now() < endsAt; turn++) {
    const order = sides.map((_, index) => index)
    if (turn % 2) order.reverse()
    for (const index of order) {
      const { send, pid } = /** @type {typeof sides[number]} */ (sides[index])
      const sum = /** @type {typeof sums[number]} */ (sums[index])
      const [startedAt, cpuBefore] = [performance.now(), cpuMsOf(pid)]
      await Promise.all(
        Array.from({ length: connections }, async () => {
          while (performance.now() - startedAt < turnMs) {
            if ((await send()) !== 200) sum.failures++
            sum.requests++
          }
        }),
      )
      sum.ms += performance.now() - startedAt
      sum.cpuMs += cpuMsOf(pid) - cpuBefore
    }
  }
  await Promise.all(sides.map(({ pool }) => pool.close()))
  return sums
}

/** @param {Target} target @param {number} connections */
function sideOf({ url, key, body, address }, connections) {
  const pool = new Pool(url, { connections, pipelining: 1, connect: { localAddress: address } })
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  const options = /** @type {const} */ ({ path: '/v1/chat/completions', method: 'POST' })
  const text = JSON.stringify(body)
  return {
    pool,
    async send() {
      const reply = await pool.request({ ...options, headers, body: text })
      await reply.body.dump()
      return reply.statusCode
    },
  }
}

/** The processor time of all threads of a process: /proc/<pid>/stat counts in hundredths of a second. NaN without /proc. @param {number} pid */
function cpuMsOf(pid) {
  if (!HAS_PROC) return Number.NaN
  let ns = 0
  for (const thread of readdirSync(`/proc/${pid}/task`)) {
    try {
      ns += Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ')[0])
    } catch {
      // It has ended.
    }
  }
  return ns / 1e6
}

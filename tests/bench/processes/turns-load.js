import { exactCpuMs } from '../readings.js'
import { ready } from './child.js'
import { Connection, chatRequest } from './connection.js'

ready({}, { run })

/**
 * Loads several targets in short turns, one after the other, over connections that stay open. Other work of the machine
 * affects all targets alike, so that differences of one percent are visible. The order is constant: if it were reversed
 * in every second turn, a target would be idle for two turns, and a gateway releases the shares of an idle customer.
 *
 * @typedef {{ url: string, key: string, body: object, address: string, pid: number }} Target `address`: the client's
 * @param {{ targets: Target[], connections: number, turnMs: number, seconds: number }} options
 */
async function run({ targets, connections: count, turnMs, seconds }) {
  const sides = targets.map((target) => ({ pid: target.pid, connections: connect(target, count) }))
  const sums = sides.map(() => ({ requests: 0, ms: 0, cpuMs: 0, failures: 0 }))
  const endsAt = performance.now() + seconds * 1_000
  while (performance.now() < endsAt) {
    for (const [index, { connections, pid }] of sides.entries()) {
      const sum = /** @type {typeof sums[number]} */ (sums[index])
      const [startedAt, cpuBefore] = [performance.now(), exactCpuMs(pid)]
      await Promise.all(
        connections.map(async (connection) => {
          while (performance.now() - startedAt < turnMs) {
            if ((await connection.send()) !== 200) sum.failures++
            sum.requests++
          }
        }),
      )
      sum.ms += performance.now() - startedAt
      sum.cpuMs += (exactCpuMs(pid) ?? Number.NaN) - (cpuBefore ?? Number.NaN)
    }
  }
  for (const { connections } of sides) for (const connection of connections) connection.close()
  return sums
}

/** @param {Target} target @param {number} count */
function connect({ url, key, body, address }, count) {
  const request = chatRequest({ url, key, body })
  return Array.from({ length: count }, () => new Connection({ url, request, address }))
}
